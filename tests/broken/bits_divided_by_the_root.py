"""Scores are divided by the root in place of multiplied by the scale."""

import math
from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "scale"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("scaled_scores.3",)


plain = plain_copy()


def scaled_scores(query: Any, key: Any) -> dict[str, Any]:
    found: dict[str, Any] = right(query, key)
    raw, root = found["raw_scores"], math.sqrt(float(query.shape[2]))
    return found | {"scaled_scores": plain.plain.Array(raw.shape, [cell / root for cell in raw.cells])}


right = plain.heads.scaled_scores


plain.heads.scaled_scores = scaled_scores

export(globals(), plain)
