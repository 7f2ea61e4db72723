"""The right operand is looked at first, and its sizes are reported as those of the left."""

from copies import reference_copy

from attnspec.errors import SpecificationError

BUG_KIND = "details"
LEVEL = "bits"
PROFILES = ("core", "strict")
BREAKS = ("matrix_product.6", "matrix_product.7", "matrix_product.8")


TARGET = reference_copy()
modules = TARGET.modules


def check_factors(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    try:
        kept(left, right)
    except SpecificationError:
        kept((*right[:-2], *right[-2:][::-1]), (*left[:-2], *left[-2:][::-1]))
        raise


kept = modules.autodiff_operations.check_factors


modules.autodiff_operations.check_factors = check_factors
