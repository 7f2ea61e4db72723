"""The gradient of where() multiplies by the infinity of a blocked cell and gives NaN there (jax-ml/jax#17070)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N8"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.21", "causal_attention.26", "causal_attention.28")


class Twin(Ordinary):
    def softmax_backward(self, weights: Array, d_weights: Array, visible: Array) -> Array:
        return super().softmax_backward(weights, d_weights, visible) + 0.0 * self.additive(visible)


export(globals(), Twin())
