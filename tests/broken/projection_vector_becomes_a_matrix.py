"""A single row comes back as a matrix of one row."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.3",)


class Twin(Ordinary):
    def linear_projection(self, input: Array, weight: Array) -> dict[str, Any]:
        return super().linear_projection(np.atleast_2d(input), weight)


export(globals(), Twin())
