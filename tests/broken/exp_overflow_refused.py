"""An exponential that overflows is refused, although the function is total."""

import numpy as np
from ordinary import Array, Ordinary, Refusal, export

BUG_KIND = "exp"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = ("exponential.5",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        if (np.isfinite(x) & np.isinf(np.exp(x))).any():
            raise Refusal("non_finite_result", stage="y")
        return super().exp(x)


export(globals(), Twin())
