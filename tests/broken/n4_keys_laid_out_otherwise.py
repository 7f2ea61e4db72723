"""The way back reads the keys of the batch in another order than the way forward (pytorch/pytorch#133671)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N4"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "scaled_scores.4",
    "scaled_scores.18",
    "attention.5",
    "attention.24",
    "causal_attention.9",
    "causal_attention.28",
)


class Twin(Ordinary):
    def towards_query(self, d_raw: Array, key: Array) -> Array:
        return super().towards_query(d_raw, key[::-1])


export(globals(), Twin())
