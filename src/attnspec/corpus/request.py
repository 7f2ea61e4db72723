"""What is asked of a target and what may come back: the same for the reference as for everybody else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
"""Elements of the type that the vocabulary names: float64, or uint64 for the draws of a generator."""

Value = Array | int | bool | str | tuple[str, ...]
"""A tensor (read-only array), an integer, a boolean, a text or a list of strings."""


@dataclass(frozen=True)
class Request:
    """One evaluation of an operation.

    Args:
        operation: a name of the vocabulary.
        inputs: every input by name.
        upstream: the upstream gradients that the fixture names, by output.
        released: inputs that come from a tape already released (only a target with a tape can say).
    """

    operation: str
    inputs: Mapping[str, Value]
    upstream: Mapping[str, Array] = field(default_factory=dict)
    released: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answered:
    """Outputs by name and, where an upstream was named, gradients by input.

    Args:
        outputs: at least the required ones.
        gradients: all that the operation has, or none.
        no_gradients: why there are none although an upstream was named.
        faults: what was wrong with the manner of answering, such as an input written into.
    """

    outputs: Mapping[str, Value]
    gradients: Mapping[str, Array] = field(default_factory=dict)
    no_gradients: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused:
    """The target refused the inputs; `code` is None where it did not say why in the corpus's words."""

    code: str | None
    details: Mapping[str, object] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True)
class Skipped:
    """The target does not do this; it says why."""

    reason: str


@dataclass(frozen=True)
class Errored:
    """The target broke: a crash, a time-out, an exception that is no refusal."""

    message: str


Reply = Answered | Refused | Skipped | Errored
