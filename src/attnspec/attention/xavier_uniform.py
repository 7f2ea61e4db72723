"""Xavier's uniform initialisation from a reproducible generator."""

from __future__ import annotations

import numpy as np

from attnspec.errors import ZeroFanInError, ZeroFanOutError
from attnspec.numeric.splitmix64 import SplitMix64
from attnspec.numeric.tensor import Tensor


def xavier_uniform(generator: SplitMix64, fan_in: int, fan_out: int) -> Tensor:
    """Draw a weight from the uniform distribution on [-limit, limit), limit = sqrt(6 / (fan_in + fan_out)).

    Args:
        generator: advanced by fan_in * fan_out draws; left alone when the widths are refused.
        fan_in: rows.
        fan_out: columns.

    Returns:
        [fan_in, fan_out], drawn in row-major order.

    Raises:
        ZeroFanInError, ZeroFanOutError: a width is not positive; the fan-in is checked first.

    Source:
        xavier_uniform.1 to xavier_uniform.5
    """
    check_widths(fan_in, fan_out)
    limit = float(np.sqrt(np.float64(6.0) / np.float64(fan_in + fan_out)))
    draws = [limit * (2.0 * generator.unit() - 1.0) for _ in range(fan_in * fan_out)]
    return Tensor(np.array(draws).reshape(fan_in, fan_out))


def check_widths(fan_in: int, fan_out: int) -> None:
    """Raise ZeroFanInError or ZeroFanOutError where a weight would have no rows or no columns.

    Source:
        xavier_uniform.6 to xavier_uniform.8
    """
    if fan_in <= 0:
        raise ZeroFanInError
    if fan_out <= 0:
        raise ZeroFanOutError
