"""Whether there is a token is asked before the counts are compared."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = (
    "scaled_scores.8",
    "scaled_scores.12",
    "attention.11",
    "attention.15",
    "causal_attention.15",
    "causal_attention.19",
)


class Twin(Ordinary):
    ORDER = Ordinary.heads_reordered(
        "leaves", "ranks", "batches", "no_tokens", "tokens", "query_width", "key_width", "widths", "value_width"
    )


export(globals(), Twin())
