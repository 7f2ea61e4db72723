"""The upstream of a blocked score is cut off with the mask, although the score was handed out."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "N1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_attention.27",)


class Twin(Ordinary):
    def joined_scaled(self, own: Any, later: Any) -> Array:
        return super().joined_scaled(None if own is None else own * np.tri(own.shape[-1]), later)


export(globals(), Twin())
