"""A head that is wider than the model is cut to its width."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "width"
LEVEL = "bound"
PROFILES = ("core", "init")
BREAKS = ("qkv_projection.6", "qkv_parameters.4", "qkv_initialization.3")


class Twin(Ordinary):
    def qkv_projection(self, input: Array, *weights: Array, **named: Array) -> dict[str, Any]:
        found = super().qkv_projection(input, *weights, **named)
        return {name: result[..., : input.shape[-1]] for name, result in found.items()}

    def head_width(self, weight: Array) -> int:
        return min(super().head_width(weight), self.model_width(weight))

    def weights(self, seed: int, model_width: int, head_width: int) -> list[Array]:
        return [weight[:, :model_width] for weight in super().weights(seed, model_width, head_width)]


export(globals(), Twin())
