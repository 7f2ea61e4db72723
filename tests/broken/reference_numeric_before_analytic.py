"""The numeric gradient is looked at before the analytic one."""

from typing import Any

import numpy as np
from copies import reference_copy

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("finite",)
BREAKS = ("gradient_check.5",)


TARGET = reference_copy()
modules = TARGET.modules


def gradient_check(analytic: Any, numeric: Any, tolerance: Any) -> Any:
    if analytic.shape == numeric.shape and not np.isfinite(numeric).all():
        kept(analytic=np.zeros_like(numeric), numeric=numeric, tolerance=tolerance)
    return kept(analytic=analytic, numeric=numeric, tolerance=tolerance)


kept = modules.targets_reference._UNTAPED["gradient_check"]


modules.targets_reference._UNTAPED["gradient_check"] = gradient_check
