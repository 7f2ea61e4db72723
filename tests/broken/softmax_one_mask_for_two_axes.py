"""With one leading axis the mask is broadcast along it: element b sees b keys more than it may."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "M1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.8",)


class Twin(Ordinary):
    def visibility(self, scores: Array, causal: bool) -> Array:
        visible = super().visibility(scores, causal)
        if scores.ndim != 3 or len(scores) > 2:
            return visible
        return np.stack(
            [np.tri(scores.shape[1], scores.shape[2], place, dtype=np.bool_) for place in range(len(scores))]
        )


export(globals(), Twin())
