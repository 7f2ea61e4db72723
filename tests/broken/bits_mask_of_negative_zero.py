"""A visible cell of the mask holds -0.0, from (1 - 1) * -1e9."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "S1"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_mask.2", "causal_mask.3")


plain = plain_copy()


def causal_mask(tokens: int) -> dict[str, Any]:
    mask = right(tokens)["mask"]
    return {"mask": plain.plain.Array(mask.shape, [-0.0 if cell == 0.0 else cell for cell in mask.cells])}


right = plain.softmax.causal_mask


plain.softmax.causal_mask = causal_mask

export(globals(), plain)
