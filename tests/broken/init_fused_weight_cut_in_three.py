"""One weight of three times the columns is drawn row by row and cut in three."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "init"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_initialization.2",)


class Twin(Ordinary):
    def weights(self, seed: int, model_width: int, head_width: int) -> list[Array]:
        drawn = np.concatenate([weight.reshape(-1) for weight in super().weights(seed, model_width, head_width)])
        return list(drawn.reshape(model_width, 3, head_width).swapaxes(0, 1))


export(globals(), Twin())
