"""Without leading axes a right operand that is not square is reshaped for the gradient, in place of transposed."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.11",)


class Twin(Ordinary):
    def left_gradient(self, upstream: Array, right: Array) -> Array:
        if right.ndim > 2 or right.shape[0] == right.shape[1]:
            return super().left_gradient(upstream, right)
        return upstream @ right.reshape(right.shape[::-1])


export(globals(), Twin())
