"""Infinities and NaN are looked for in the inputs, not in the upstreams."""

from ordinary import Given, Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = (
    "scaled_scores.13",
    "attention.16",
    "causal_attention.20",
    "causal_softmax.16",
    "linear_projection.14",
    "qkv_projection.19",
    "matrix_product.9",
)


class Twin(Ordinary):
    def check_leaves(self, given: Given) -> None:
        super().check_leaves({name: value for name, value in given.items() if not name.endswith("_upstream")})


export(globals(), Twin())
