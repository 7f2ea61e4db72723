"""A single number is accepted as an input of one feature."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("linear_projection.11",)


class Twin(Ordinary):
    def linear_projection(self, input: Array, weight: Array) -> dict[str, Any]:
        return super().linear_projection(np.atleast_1d(input), weight)

    ORDER = Ordinary.reordered(linear_projection=("leaves", "weight_alone"))


export(globals(), Twin())
