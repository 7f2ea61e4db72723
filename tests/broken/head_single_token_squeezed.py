"""With one token the token axis is squeezed away."""

from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.3", "attention.7", "causal_attention.4", "causal_attention.5", "causal_attention.7")


class Twin(Ordinary):
    def mixed(self, probabilities: Array, value: Array) -> Array:
        output = super().mixed(probabilities, value)
        return output[:, 0] if value.shape[1] == 1 else output


export(globals(), Twin())
