"""Every error of the specification: its class, its permanent code, its fields (errors.1).

A class carries the code and a message; its dataclass fields are the details that fixtures and
reports compare. An error that wraps another has the field `cause` and is raised `from` it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(eq_default=False)
class SpecificationError(Exception):
    """A refusal that the specification names: `code` says which, `details` with what data."""

    code: ClassVar[str]
    message: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__doc__ = cls.__doc__ or cls.message
        dataclass(eq=False, repr=False)(cls)

    @property
    def details(self) -> dict[str, object]:
        """The fields by name, without those that are None; a cause is `{"error": code, "details": {...}}`."""
        return {name: _plain(value) for name, value in vars(self).items() if value is not None}

    def __str__(self) -> str:
        return self.message.format(**vars(self))


def _plain(value: object) -> object:
    if isinstance(value, SpecificationError):
        return {"error": value.code, "details": value.details}
    return list(value) if isinstance(value, tuple) else value


class _SizesDiffer(SpecificationError):
    query: int
    key: int
    value: int | None = None  # None where there is no value operand (scaled_scores)

    def __str__(self) -> str:
        return f"{self.message}: {', '.join(f'{name} {size}' for name, size in self.details.items())}"


# Shapes


class RankError(SpecificationError):
    code = "rank"
    message = "{tensor} has rank {rank}, expected {expected}"
    tensor: str
    rank: int
    expected: int


class BatchMismatchError(_SizesDiffer):
    code = "batch_mismatch"
    message = "batch sizes differ"


class TokenMismatchError(_SizesDiffer):
    code = "token_mismatch"
    message = "token counts differ"


class NoTokensError(SpecificationError):
    code = "no_tokens"
    message = "there is no token; at least one is needed"


class ZeroWidthError(SpecificationError):
    code = "zero_width"
    message = "the width of {tensor} is 0; it must be at least 1"
    tensor: str


class WidthMismatchError(SpecificationError):
    code = "width_mismatch"
    message = "query width {query} differs from key width {key}"
    query: int
    key: int


class InnerWidthError(SpecificationError):
    code = "inner_width"
    message = "the left operand has {left} columns, the right one {right} rows"
    left: int
    right: int


class ShapeMismatchError(SpecificationError):
    code = "shape_mismatch"
    message = "the shape is {actual}, expected {expected}"
    expected: tuple[int, ...]
    actual: tuple[int, ...]


class NotSquareError(SpecificationError):
    code = "not_square"
    message = "{queries} queries against {keys} keys: the last two axes must be equal"
    queries: int
    keys: int


# Projections and their parameters


class InputWidthError(SpecificationError):
    code = "input_width"
    message = "the input has width {actual}, the weight expects {expected}"
    expected: int
    actual: int


class WeightRankError(SpecificationError):
    code = "weight_rank"
    message = "the weight has rank {rank}, expected 2"
    rank: int


class BranchError(SpecificationError):
    code = "branch"
    message = "{branch} branch: {cause}"
    branch: str
    cause: SpecificationError


class BranchInputWidthsError(SpecificationError):
    code = "branch_input_widths"
    message = "input widths differ: query {query}, key {key}, value {value}"
    query: int
    key: int
    value: int


class BranchOutputWidthsError(SpecificationError):
    code = "branch_output_widths"
    message = "output widths differ: query {query}, key {key}, value {value}"
    query: int
    key: int
    value: int


class InitializationError(SpecificationError):
    code = "initialization"
    message = "the parameter list is refused: {cause}"
    cause: SpecificationError


class DuplicateNameError(SpecificationError):
    code = "duplicate_name"
    message = "{name!r} stands at {first} and again at {second}"
    name: str
    first: int
    second: int


class EmptyNameError(SpecificationError):
    code = "empty_name"
    message = "a parameter name is empty"


class EmptySegmentError(SpecificationError):
    code = "empty_segment"
    message = "a parameter name has an empty segment at byte {index}"
    index: int


class NameByteError(SpecificationError):
    code = "name_byte"
    message = "byte {byte} at {index} may not stand in a parameter name; a-z, 0-9, _ and . may"
    index: int
    byte: int


class ZeroFanInError(SpecificationError):
    code = "zero_fan_in"
    message = "the fan-in must be at least 1"


class ZeroFanOutError(SpecificationError):
    code = "zero_fan_out"
    message = "the fan-out must be at least 1"


# The causal mask


class MaskOverflowError(SpecificationError):
    code = "mask_overflow"
    message = "a mask for {tokens} tokens has more than 2**63 - 1 cells"
    tokens: int


class MaskMemoryError(SpecificationError):
    code = "mask_memory"
    message = "a mask of {elements} cells cannot be held"
    elements: int


class NegativeTokensError(SpecificationError):
    code = "negative_tokens"
    message = "{tokens} tokens: the count must not be negative"
    tokens: int


# The tape


class NonFiniteLeafError(SpecificationError):
    code = "non_finite_leaf"
    message = "{tensor} holds {value} at flat index {index}; leaves are finite"
    tensor: str
    index: int
    value: float


class NonFiniteResultError(SpecificationError):
    code = "non_finite_result"
    message = "{stage} became {value} at flat index {index}"
    stage: str
    index: int
    value: float


class ReleasedOperandError(SpecificationError):
    code = "released_operand"
    message = "{stage}: the tape of operand {operand} was released"
    stage: str
    operand: str


# The gradient check


class InvalidStepError(SpecificationError):
    code = "invalid_step"
    message = "the step of central differences must be finite and positive"


class InvalidToleranceError(SpecificationError):
    code = "invalid_tolerance"
    message = "the tolerance must be finite and not negative"


ERRORS: dict[str, type[SpecificationError]] = {
    kind.code: kind for kind in globals().values() if isinstance(kind, type) and hasattr(kind, "code")
}
"""Every error by its code."""
