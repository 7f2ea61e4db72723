"""Widths are compared before a width of 0 is looked for."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = (
    "scaled_scores.10",
    "scaled_scores.12",
    "attention.13",
    "attention.15",
    "causal_attention.17",
    "causal_attention.19",
)


class Twin(Ordinary):
    ORDER = Ordinary.heads_reordered(
        "leaves", "ranks", "batches", "tokens", "no_tokens", "widths", "query_width", "key_width", "value_width"
    )


export(globals(), Twin())
