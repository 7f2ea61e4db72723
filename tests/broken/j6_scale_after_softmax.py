"""The scale is applied after the softmax: weights sum to the scale (FrancescoSaverioZuppichini/ViT#2)."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "J6"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "attention.2",
    "attention.3",
    "attention.8",
    "causal_attention.3",
    "causal_attention.4",
    "causal_attention.12",
)


class Twin(Ordinary):
    def head(self, query: Array, key: Array, value: Array, causal: bool) -> dict[str, Any]:
        outputs = super().head(query * query.shape[-1] ** 0.5, key, value, causal)
        weights = outputs["probabilities"] * query.shape[-1] ** -0.5
        outputs |= {"probabilities": weights, "output": self.mixed(weights, value)}
        return {**super().head(query, key, value, causal), "probabilities": weights, "output": outputs["output"]}


export(globals(), Twin())
