"""The limit is that of the fan-in alone."""

import numpy as np
from ordinary import Ordinary, export

BUG_KIND = "xavier"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.2", "qkv_initialization.3")


class Twin(Ordinary):
    def limit(self, fan_in: int, fan_out: int) -> float:
        return float(np.sqrt(3 / fan_in))


export(globals(), Twin())
