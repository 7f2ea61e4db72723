"""The limit is the deviation of the normal kind, sqrt(2 / (fan_in + fan_out))."""

import numpy as np
from ordinary import Ordinary, export

BUG_KIND = "xavier"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.2", "qkv_initialization.3")


class Twin(Ordinary):
    def limit(self, fan_in: int, fan_out: int) -> float:
        return float(np.sqrt(2 / (fan_in + fan_out)))


export(globals(), Twin())
