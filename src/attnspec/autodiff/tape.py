"""A tape with reverse mode: what was computed, in order, and how gradients flow back through it (tape).

Leaves and recorded results are finite, or a typed error says which element is not. The rules of the
operations stand beside them in `operations`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from attnspec.errors import NonFiniteLeafError, NonFiniteResultError, ReleasedOperandError
from attnspec.numeric.tensor import Tensor

FloatArray = NDArray[np.float64]
BackwardRule = Callable[[FloatArray], Sequence[FloatArray]]
"""From the gradient of a result, which the rule may use up, to those of its operands, each an array of its own."""


class Value:
    """A tensor on a tape. Parameters have a `gradient` after a backward pass; constants never do.

    Where there is a `support`, elements outside of it are +0.0, and nobody reads their gradient.
    """

    def __init__(self, tape: Tape, tensor: Tensor, name: str, wants_gradient: bool) -> None:
        self.tape = tape
        self.tensor = tensor
        self.name = name
        self.wants_gradient = wants_gradient
        self.support: NDArray[np.bool_] | None = None
        self.gradient: FloatArray | None = None

    @property
    def array(self) -> FloatArray:
        return self.tensor.array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.tensor.shape


class Tape:
    """Records operations in order; `backward` walks them in reverse."""

    def __init__(self) -> None:
        self.released = False
        self._parameters: list[Value] = []
        self._steps: list[tuple[Value, tuple[Value, ...], BackwardRule]] = []

    def constant(self, tensor: Tensor, name: str) -> Value:
        """Return a leaf that takes no gradient; NonFiniteLeafError where an element is not finite (tape.1)."""
        return Value(self, _finite_leaf(tensor, name), name, wants_gradient=False)

    def parameter(self, tensor: Tensor, name: str) -> Value:
        """Return a leaf that takes a gradient; NonFiniteLeafError as for `constant` (tape.1)."""
        leaf = Value(self, _finite_leaf(tensor, name), name, wants_gradient=True)
        self._parameters.append(leaf)
        return leaf

    def record(self, operation: str, operands: Sequence[Value], result: FloatArray, backward: BackwardRule) -> Value:
        """Put a result computed from operands of this tape on it, with the way its gradient flows back.

        The result is an array that was made for it; nobody writes into it any more.

        Raises:
            ReleasedOperandError: an operand's tape was released; the operand is named by its position.
            NonFiniteResultError: the result is not finite; the stage is the operation.
            ValueError: an operand stands on another tape.
        """
        for position, operand in enumerate(operands):
            if operand.tape.released:
                raise ReleasedOperandError(stage=operation, operand=str(position))
            if operand.tape is not self:
                raise ValueError(f"operand {position} of {operation} stands on another tape")
        tensor = Tensor.taking(result)
        fault = _first_non_finite(tensor.array)
        if fault is not None:
            raise NonFiniteResultError(operation, *fault)
        recorded = Value(self, tensor, operation, any(operand.wants_gradient for operand in operands))
        self._steps.append((recorded, tuple(operands), backward))
        return recorded

    def backward(self, upstream: Mapping[Value, Tensor], retain: bool = False) -> None:
        """Add to each parameter's gradient what flows back from the upstreams, then release the tape.

        Contributions to one value are added once, from +0.0: its own upstream first, then in the order in
        which the consuming operations were recorded, then by operand position. A later pass over a
        retained tape adds to the gradients that are there.

        Args:
            upstream: gradients of recorded values, each of its value's shape.
            retain: keep the tape for another pass.

        Raises:
            ReleasedOperandError: the tape was released before.
            ShapeMismatchError: an upstream has not its value's shape.
            NonFiniteLeafError: an upstream is not finite.
            NonFiniteResultError: a parameter's gradient is not finite; the stage is `gradients.<name>`.
            ValueError: an upstream belongs to a value of another tape.

        Source:
            tape.6 to tape.14
        """
        if self.released:
            raise ReleasedOperandError(stage="backward", operand="tape")
        for value, tensor in upstream.items():
            if value.tape is not self:
                raise ValueError(f"the value {value.name} stands on another tape")
            _finite_leaf(Tensor(tensor.array, value.shape), f"{value.name}_upstream")
        with np.errstate(all="ignore"):
            flowing = self._flow_back(upstream)
            gradients = [_accumulate(leaf, flowing.get(leaf, [])) for leaf in self._parameters]
        for leaf, gradient in zip(self._parameters, gradients, strict=True):
            fault = _first_non_finite(gradient)
            if fault is not None:
                raise NonFiniteResultError(f"gradients.{leaf.name}", *fault)
        for leaf, gradient in zip(self._parameters, gradients, strict=True):
            leaf.gradient = gradient
        self.released = not retain

    def _flow_back(self, upstream: Mapping[Value, Tensor]) -> dict[Value, list[FloatArray]]:
        """Return every value's contributions in the order in which they are to be added."""
        flowing = {value: [tensor.array] for value, tensor in upstream.items()}
        later: dict[Value, list[FloatArray]] = {}  # from consumers, newest first
        for result, operands, rule in reversed(self._steps):
            if result not in flowing and result not in later:
                continue
            gradient = _add_up(flowing.get(result, []), later.pop(result, [])[::-1])
            _hand_back(operands, rule(gradient), later)
            del gradient  # as large as all scores together: it is needed no longer
        for value, shares in later.items():
            flowing.setdefault(value, []).extend(reversed(shares))
        return flowing


def _hand_back(operands: Sequence[Value], shares: Sequence[FloatArray], later: dict[Value, list[FloatArray]]) -> None:
    """Note each operand's share, the last operand's first."""
    for operand, share in reversed(list(zip(operands, shares, strict=True))):
        if operand.wants_gradient:
            later.setdefault(operand, []).append(share)


def _add_up(given: Sequence[FloatArray], shares: Sequence[FloatArray]) -> FloatArray:
    """Add from +0.0 in this order; shares are nobody else's, so that the first may become the sum."""
    contributions = [array.copy() for array in given] + list(shares)
    total = contributions[0]
    total += 0.0
    for contribution in contributions[1:]:
        total += contribution
    return total


def _accumulate(leaf: Value, contributions: Sequence[FloatArray]) -> FloatArray:
    gradient = _add_up(contributions, []) if contributions else np.zeros(leaf.shape)
    if leaf.gradient is not None:
        gradient = leaf.gradient + gradient
    gradient.setflags(write=False)
    return gradient


def _finite_leaf(tensor: Tensor, name: str) -> Tensor:
    fault = _first_non_finite(tensor.array)
    if fault is not None:
        raise NonFiniteLeafError(name, *fault)
    return tensor


def _first_non_finite(array: FloatArray) -> tuple[int, float] | None:
    if array.size == 0 or (-np.inf < array.min() and array.max() < np.inf):  # a NaN is neither
        return None
    index = int(np.argmin(np.isfinite(array).reshape(-1)))
    return index, float(array.reshape(-1)[index])
