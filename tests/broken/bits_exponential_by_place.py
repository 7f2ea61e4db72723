"""Every fourth element is computed by another routine, as at the end of a vector."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "exp"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.1", "exponential.2")


plain = plain_copy()


def exponential(x: Any) -> dict[str, Any]:
    exp = plain.arithmetic.exp
    cells = [exp(cell) if place % 4 else float(exp(cell / 2.0)) ** 2 for place, cell in enumerate(x.cells)]
    return {"y": plain.plain.Array(x.shape, cells)}


plain.arithmetic.exponential = exponential

export(globals(), plain)
