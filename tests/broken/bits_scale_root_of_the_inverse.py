"""The scale is sqrt(1 / d_k)."""

import math

from copies import plain_copy
from ordinary import export

BUG_KIND = "scale"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("scaled_scores.2", "attention.1", "causal_attention.1")


plain = plain_copy()


def scale_of(width: int) -> float:
    return math.sqrt(1.0 / float(width))


plain.heads.scale_of = scale_of

export(globals(), plain)
