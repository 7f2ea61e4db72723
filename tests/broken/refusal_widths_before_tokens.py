"""Widths are looked at before the tokens are."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = (
    "scaled_scores.9",
    "scaled_scores.12",
    "attention.12",
    "attention.15",
    "causal_attention.16",
    "causal_attention.19",
)


class Twin(Ordinary):
    ORDER = Ordinary.heads_reordered(
        "leaves", "ranks", "batches", "query_width", "key_width", "widths", "value_width", "tokens", "no_tokens"
    )


export(globals(), Twin())
