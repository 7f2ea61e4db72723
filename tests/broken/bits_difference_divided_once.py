"""The gradients are subtracted first and divided once."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "gradient check"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("gradient_check.1",)


plain = plain_copy()


def gradient_check(analytic: Any, numeric: Any, tolerance: Any) -> dict[str, Any]:
    sizes = [max(1.0, abs(a), abs(n)) for a, n in zip(analytic.cells, numeric.cells, strict=True)]
    triples = zip(analytic.cells, numeric.cells, sizes, strict=True)
    cells = [abs(a / 4.0 - n / 4.0) / size * 4.0 for a, n, size in triples]
    within = all(cell <= tolerance.cells[0] for cell in cells)
    return {"scaled_difference": plain.plain.Array(analytic.shape, cells), "within": within}


plain.arithmetic.gradient_check = gradient_check

export(globals(), plain)
