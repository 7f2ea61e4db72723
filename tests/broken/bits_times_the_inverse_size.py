"""The gradients are multiplied by the inverse of the size in place of divided by it."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "gradient check"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("gradient_check.1",)


plain = plain_copy()


def gradient_check(analytic: Any, numeric: Any, tolerance: Any) -> dict[str, Any]:
    cells = []
    for a, n in zip(analytic.cells, numeric.cells, strict=True):
        share = 1.0 / max(1.0, abs(a), abs(n))
        cells.append(abs(a * share - n * share))
    within = all(cell <= tolerance.cells[0] for cell in cells)
    return {"scaled_difference": plain.plain.Array(analytic.shape, cells), "within": within}


plain.arithmetic.gradient_check = gradient_check

export(globals(), plain)
