"""An upstream for the raw scores is taken and dropped."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.17", "attention.23", "causal_attention.27")


class Twin(Ordinary):
    def joined_raw(self, own: Any, later: Any) -> Array:
        return np.asarray(later)


export(globals(), Twin())
