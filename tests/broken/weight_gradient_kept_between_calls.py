"""Gradients of weights add up over calls: nobody set them to zero."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "Q1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.7", "qkv_projection.10")


class Twin(Ordinary):
    def __init__(self) -> None:
        self.kept: dict[tuple[int, ...], Any] = {}

    def weight_gradient(self, input: Array, upstream: Array) -> Array:
        gradient = super().weight_gradient(input, upstream)
        self.kept[gradient.shape] = self.kept.get(gradient.shape, 0.0) + gradient
        return np.array(self.kept[gradient.shape])


export(globals(), Twin())
