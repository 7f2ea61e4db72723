"""Results that overflow are handed out."""

from ordinary import Given, Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = (
    "scaled_scores.14",
    "attention.17",
    "causal_attention.21",
    "linear_projection.15",
    "qkv_projection.20",
    "matrix_product.10",
)


class Twin(Ordinary):
    def check_results(self, outputs: Given) -> None:
        pass


export(globals(), Twin())
