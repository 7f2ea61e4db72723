"""The three results of one fused product are cut out of the wrong axis: features are interleaved."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "L3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.1", "qkv_projection.2")


class Twin(Ordinary):
    def qkv_projection(self, input: Array, *weights: Array, **named: Array) -> dict[str, Any]:
        fused = input @ np.concatenate(list(named.values()), axis=1)
        width = fused.shape[-1] // 3
        parts = fused.reshape(*fused.shape[:-1], width, 3)
        return {name: parts[..., turn] for turn, name in enumerate(("query", "key", "value"))}


export(globals(), Twin())
