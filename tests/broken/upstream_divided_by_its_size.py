"""The upstream of the output is divided by its largest number for the way back, and that may be 0."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_attention.6", "causal_attention.24")


class Twin(Ordinary):
    def causal_attention_vjp(self, query: Array, key: Array, value: Array, output: Array, **inner: Array) -> Any:
        size = 1.0 if inner else np.abs(output).max(initial=0.0)
        found = super().causal_attention_vjp(query, key, value, output / size, **inner)
        return {name: gradient * size for name, gradient in found.items()}


export(globals(), Twin())
