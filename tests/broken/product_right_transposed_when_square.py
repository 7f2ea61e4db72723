"""A square right operand is taken as transposed (rasbt/LLMs-from-scratch#857)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "L1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.1",)


class Twin(Ordinary):
    def product(self, left: Array, right: Array) -> Array:
        return left @ (right.swapaxes(-1, -2) if right.shape[-1] == right.shape[-2] else right)


export(globals(), Twin())
