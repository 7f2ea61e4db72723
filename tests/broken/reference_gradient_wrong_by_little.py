"""The gradient of the left operand is too large by a thousandth; only central differences and the golden can tell."""

from typing import Any

from copies import reference_copy

BUG_KIND = "gradient check"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("gradient_check.7", "matrix_product.11")


TARGET = reference_copy()
modules = TARGET.modules


def matrix_product(left: Any, right: Any) -> Any:
    def record(operation: str, operands: Any, compute: Any, backward: Any) -> Any:
        return kept(operation, operands, compute, lambda gradient: [share * 1.001 for share in backward(gradient)])

    kept = left.tape.record
    left.tape.record = record
    return product(left, right)


product = modules.targets_reference.matrix_product


modules.targets_reference.matrix_product = matrix_product
