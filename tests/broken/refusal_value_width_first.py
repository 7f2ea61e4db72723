"""The width of the value is looked at before those of query and key are compared."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("attention.14", "attention.15", "causal_attention.18", "causal_attention.19")


class Twin(Ordinary):
    ORDER = Ordinary.heads_reordered(
        "leaves", "ranks", "batches", "tokens", "no_tokens", "value_width", "query_width", "key_width", "widths"
    )


export(globals(), Twin())
