"""The limit is sqrt(6) times the inverse of a root."""

import math
from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "xavier"
LEVEL = "bits"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.2",)


plain = plain_copy()


def xavier(state: int, fan_in: int, fan_out: int) -> Any:
    limit = math.sqrt(6.0) * (1.0 / math.sqrt(float(fan_in + fan_out)))
    cells: list[float] = []
    for _ in range(fan_in * fan_out):
        word, state = plain.arithmetic.draw(state)
        cells.append(limit * (2.0 * plain.arithmetic.unit(word) - 1.0))
    return plain.plain.Array((fan_in, fan_out), cells), state


plain.arithmetic.xavier = xavier

export(globals(), plain)
