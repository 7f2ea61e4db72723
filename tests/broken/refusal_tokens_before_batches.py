"""Token counts are compared before batch sizes."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = (
    "scaled_scores.7",
    "scaled_scores.12",
    "attention.10",
    "attention.15",
    "causal_attention.14",
    "causal_attention.19",
)


class Twin(Ordinary):
    ORDER = Ordinary.heads_reordered(
        "leaves", "ranks", "tokens", "batches", "no_tokens", "query_width", "key_width", "widths", "value_width"
    )


export(globals(), Twin())
