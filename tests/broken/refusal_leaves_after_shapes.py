"""Elements are looked at after the shapes: a NaN in an operand of the wrong shape is not reported."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = ("scaled_scores.13", "attention.16", "causal_attention.20")


class Twin(Ordinary):
    ORDER = Ordinary.heads_reordered(
        "ranks", "batches", "tokens", "no_tokens", "query_width", "key_width", "widths", "value_width", "leaves"
    )


export(globals(), Twin())
