"""What torch's complaints mean, where its words say it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WIDTHS = {"matrix_product": "inner_width", "linear_projection": "input_width", "scaled_scores": "width_mismatch"}
_PRODUCT = re.compile(r"shapes cannot be multiplied|Expected size for first two dimensions of batch2")
_SIZES = re.compile(r"Query\.size\(-1\): (\d+), Key\.size\(-1\): (\d+)")


class NoKernel(RuntimeError):
    """The kernel that was asked for does not take the inputs; torch gives the reason in warnings.

    Args:
        message: of torch's own exception.
        reasons: its warnings.
    """

    def __init__(self, message: str, reasons: Sequence[str]) -> None:
        said = [reason.partition(" (Triggered internally")[0] for reason in reasons]
        super().__init__(" ".join([message, *said]))


def error_code(exception: Exception, operation: str) -> str | None:
    """Return the code of a refusal where the message shows it; in attention a product may be either of two."""
    message = str(exception)
    if _PRODUCT.search(message):
        return _WIDTHS.get(operation)
    sizes = _SIZES.search(message)
    if sizes:
        return "width_mismatch" if sizes[1] != sizes[2] else None
    if "the same batch_size" in message:
        return "batch_mismatch"
    if "to be 4 dimensional" in message or "at least 2 dimensional" in message or "at least 1D" in message:
        return "rank"
    if "t() expects a tensor" in message:
        return "branch" if operation == "qkv_projection" else "weight_rank"
    if "negative dimension" in message:
        return "negative_tokens"
    return "mask_memory" if "can't allocate memory" in message else None
