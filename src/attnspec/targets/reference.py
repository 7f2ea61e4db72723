"""The reference as a target: asked through the same requests as everybody else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from attnspec import __version__
from attnspec.attention.attention import Head, attention
from attnspec.attention.causal_attention import causal_attention
from attnspec.attention.causal_mask import causal_mask
from attnspec.attention.causal_softmax import causal_softmax
from attnspec.attention.linear_projection import linear_projection
from attnspec.attention.parameter_names import parameter_names
from attnspec.attention.qkv_initialization import qkv_initialization
from attnspec.attention.qkv_parameters import qkv_parameters
from attnspec.attention.qkv_projection import qkv_projection
from attnspec.attention.scaled_scores import ScaledScores, scaled_scores
from attnspec.attention.stages import stage
from attnspec.attention.xavier_uniform import xavier_uniform
from attnspec.autodiff.operations import matrix_product
from attnspec.autodiff.tape import FloatArray, Tape
from attnspec.autodiff.tape import Value as Recorded
from attnspec.conformance.target import Declaration
from attnspec.corpus.request import Answered, Array, Refused, Reply, Request, Value
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.errors import SpecificationError
from attnspec.numeric.exponential import exponential
from attnspec.numeric.gradient_check import check_gradient
from attnspec.numeric.plain_form import plain_form
from attnspec.numeric.splitmix64 import SplitMix64
from attnspec.numeric.tensor import Tensor

Results = Mapping[str, "Recorded | Tensor | Value"]


class Reference:
    """Answers every operation of the vocabulary, with all intermediates and gradients.

    Args:
        plain: compute products and exponentials as they are defined, for a second opinion of the faster forms.
    """

    declaration = Declaration("reference", __version__, has_tape=True, has_details=True)

    def __init__(self, plain: bool = False) -> None:
        self._plain = plain

    def answer(self, request: Request) -> Reply:
        """Compute a request; a refusal of the specification is a reply, anything else a defect."""
        with plain_form(self._plain):
            return _answered(request)


def _answered(request: Request) -> Reply:
    try:
        if request.operation in _TAPED:
            return _on_tape(request)
        return Answered({name: _plain(value) for name, value in _UNTAPED[request.operation](**request.inputs).items()})
    except SpecificationError as error:
        return Refused(error.code, error.details, str(error))


def _on_tape(request: Request) -> Answered:
    tape = Tape()
    leaves = {name: _leaf(tape, name, request) for name in OPERATIONS[request.operation].inputs}
    upstream = {
        name: tape.constant(Tensor(request.upstream[name]), f"{name}_upstream")
        for name in OPERATIONS[request.operation].upstreams  # in the order of the table
        if name in request.upstream
    }
    results = _TAPED[request.operation](*leaves.values())
    outputs = {name: _plain(value) for name, value in results.items()}
    if not upstream:
        return Answered(outputs)
    flowing = {}
    for name, leaf in upstream.items():
        result = results[name]
        assert isinstance(result, Recorded)  # the vocabulary lets nothing else have an upstream
        flowing[result] = leaf.tensor
    tape.backward(flowing)
    return Answered(outputs, {name: _gradient(leaves[name]) for name in OPERATIONS[request.operation].gradients})


def _leaf(tape: Tape, name: str, request: Request) -> Recorded:
    tensor = Tensor(_array(request.inputs[name]))
    if name not in request.released:
        return tape.parameter(tensor, name)
    other = Tape()
    leaf = other.parameter(tensor, name)
    other.backward({})  # releases it
    return leaf


def _gradient(leaf: Recorded) -> Array:
    assert leaf.gradient is not None
    return leaf.gradient


def _array(value: Value) -> Array:
    assert isinstance(value, np.ndarray)
    return value


def _plain(value: Recorded | Tensor | Value) -> Value:
    if isinstance(value, Recorded):
        value = value.tensor
    return value.array if isinstance(value, Tensor) else value


# Operations on a tape: leaves by position, in the order of the vocabulary


def _matrix_product(left: Recorded, right: Recorded) -> Results:
    with stage("product", "left", "right"):
        return {"product": matrix_product(left, right)}


def _qkv_projection(*leaves: Recorded) -> Results:
    return vars(qkv_projection(*leaves))


def _scores(scores: ScaledScores) -> Results:
    return {
        "scaled_scores": scores.scaled_scores,
        "raw_scores": scores.raw_scores,
        "scale": Tensor(scores.scale),
    }


def _head(head: Head) -> Results:
    return {"output": head.output, **_scores(head), "probabilities": head.probabilities}


def _causal_attention(*leaves: Recorded) -> Results:
    causal = causal_attention(*leaves)
    return {**_head(causal.head), "mask": causal.mask}


_TAPED: dict[str, Callable[..., Results]] = {
    "matrix_product": _matrix_product,
    "linear_projection": lambda inputs, weight: {"output": linear_projection(inputs, weight)},
    "qkv_projection": _qkv_projection,
    "scaled_scores": lambda query, key: _scores(scaled_scores(query, key)),
    "attention": lambda query, key, value: _head(attention(query, key, value)),
    "causal_softmax": lambda scores: {"probabilities": causal_softmax(scores)},
    "causal_attention": _causal_attention,
}


# Operations without a tape: inputs by name


def _splitmix64(seed: int, count: int) -> Results:
    generator = SplitMix64(seed)
    draws = np.array([generator.next_uint64() for _ in range(count)], dtype=np.uint64)
    return {"draws": draws, "state": generator.state}


def _xavier_uniform(seed: int, fan_in: int, fan_out: int) -> Results:
    generator = SplitMix64(seed)
    return {"weight": xavier_uniform(generator, fan_in, fan_out), "state": generator.state}


def _qkv_parameters(names: tuple[str, ...], **weights: Array) -> Results:
    tape = Tape()
    layer = qkv_parameters(names, *(tape.parameter(Tensor(weights[name]), name) for name in weights))
    return {name: getattr(layer, name) for name in ("names", "count", "model_width", "head_width")}


def _qkv_initialization(prefix: str, model_width: int, head_width: int, seed: int) -> Results:
    generator = SplitMix64(seed)
    drawn = qkv_initialization(prefix, model_width, head_width, generator)
    return vars(drawn) | {"state": generator.state}


def _gradient_check(analytic: FloatArray, numeric: FloatArray, tolerance: FloatArray) -> Results:
    difference, within = check_gradient(analytic, numeric, float(tolerance))
    return {"scaled_difference": difference, "within": within}


_UNTAPED: dict[str, Callable[..., Any]] = {
    "exponential": lambda x: {"y": exponential(x)},
    "splitmix64": _splitmix64,
    "xavier_uniform": _xavier_uniform,
    "parameter_names": lambda names: {"names": parameter_names(names)},
    "qkv_parameters": _qkv_parameters,
    "qkv_initialization": _qkv_initialization,
    "causal_mask": lambda tokens: {"mask": causal_mask(tokens)},
    "gradient_check": _gradient_check,
}
