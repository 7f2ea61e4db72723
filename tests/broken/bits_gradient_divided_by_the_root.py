"""The gradient of the scores is divided by the root in place of multiplied by the scale."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "scale"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("scaled_scores.17", "attention.23", "causal_attention.27")


plain = plain_copy()


def towards_raw(d_scaled: Any, raw_start: Any, scale: float) -> Any:
    return plain.heads.added(raw_start, [[cell / (1.0 / scale) for cell in row] for row in d_scaled])


plain.heads.towards_raw = towards_raw

export(globals(), plain)
