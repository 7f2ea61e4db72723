"""The mask comes with a batch axis where there is more than one batch element, or none."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_attention.2",)


class Twin(Ordinary):
    def causal_attention(self, query: Array, key: Array, value: Array) -> dict[str, Any]:
        outputs = super().causal_attention(query, key, value)
        mask = outputs["mask"]
        return outputs | {"mask": mask if len(query) == 1 else np.broadcast_to(mask, (len(query), *mask.shape))}


export(globals(), Twin())
