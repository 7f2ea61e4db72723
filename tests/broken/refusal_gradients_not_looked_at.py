"""Gradients that overflow are handed out."""

from ordinary import Given, Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = (
    "scaled_scores.16",
    "attention.19",
    "causal_attention.23",
    "causal_softmax.18",
    "linear_projection.16",
    "qkv_projection.21",
    "matrix_product.14",
)


class Twin(Ordinary):
    def check_gradients(self, gradients: Given) -> None:
        pass


export(globals(), Twin())
