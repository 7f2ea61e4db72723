"""The operations that fixtures, targets and reports share: inputs, outputs, shapes, gradients (fixture_format).

A type is `float64[B, T, d_k]` (named sizes; `...` stands for any leading axes, equal wherever it
appears), `uint64[count]`, `integer`, `boolean`, `names` (a list of strings) or `text`. A size that is
also the name of an integer input takes that input's value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

UNTAPED = frozenset({"scale", "mask"})  # outputs that never stand on the tape, so take no upstream


@dataclass(frozen=True)
class Kind:
    """What a named input or output is: its element type and, for a tensor, its named sizes."""

    element: str
    sizes: tuple[str, ...] | None = None

    @property
    def is_tensor(self) -> bool:
        return self.sizes is not None

    def __str__(self) -> str:
        return self.element if self.sizes is None else f"{self.element}[{', '.join(self.sizes)}]"


@dataclass(frozen=True)
class Operation:
    """One row of the vocabulary; a `required` output is owed by every target."""

    name: str
    inputs: dict[str, Kind]
    outputs: dict[str, Kind]
    required: tuple[str, ...]
    gradients: tuple[str, ...] = ()

    @cached_property
    def upstreams(self) -> tuple[str, ...]:
        """Outputs that may be given an upstream gradient, in the order of the table."""
        return tuple(name for name in self.outputs if self.gradients and name not in UNTAPED)


def _kind(text: str) -> Kind:
    element, bracket, sizes = text.partition("[")
    if not bracket:
        return Kind(element)
    return Kind(element, tuple(size.strip() for size in sizes.rstrip("]").split(",") if size.strip()))


def _operation(
    name: str, inputs: dict[str, str], outputs: dict[str, str], required: str = "", gradients: str = ""
) -> Operation:
    return Operation(
        name,
        {key: _kind(text) for key, text in inputs.items()},
        {key: _kind(text) for key, text in outputs.items()},
        tuple(required.split()) or tuple(outputs),
        tuple(gradients.split()),
    )


_QUERY_KEY_VALUE = {"query": "float64[B, T, d_k]", "key": "float64[B, T, d_k]", "value": "float64[B, T, d_v]"}
_QUERY_KEY = {name: _QUERY_KEY_VALUE[name] for name in ("query", "key")}
_SCORES = {"raw_scores": "float64[B, T, T]", "scaled_scores": "float64[B, T, T]"}
_WEIGHTS = {f"{branch}_weight": "float64[d_model, d_head]" for branch in ("query", "key", "value")}
_INITIAL_WEIGHTS = dict.fromkeys(_WEIGHTS, "float64[model_width, head_width]")

OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        _operation("exponential", {"x": "float64[...]"}, {"y": "float64[...]"}),
        _operation(
            "matrix_product",
            {"left": "float64[..., M, K]", "right": "float64[..., K, N]"},
            {"product": "float64[..., M, N]"},
            gradients="left right",
        ),
        _operation(
            "splitmix64", {"seed": "integer", "count": "integer"}, {"draws": "uint64[count]", "state": "integer"}
        ),
        _operation(
            "xavier_uniform",
            {"seed": "integer", "fan_in": "integer", "fan_out": "integer"},
            {"weight": "float64[fan_in, fan_out]", "state": "integer"},
        ),
        _operation("parameter_names", {"names": "names"}, {"names": "names"}),
        _operation(
            "linear_projection",
            {"input": "float64[..., fan_in]", "weight": "float64[fan_in, fan_out]"},
            {"output": "float64[..., fan_out]"},
            gradients="input weight",
        ),
        _operation(
            "qkv_projection",
            {"input": "float64[B, T, d_model]"} | _WEIGHTS,
            dict.fromkeys(("query", "key", "value"), "float64[B, T, d_head]"),
            gradients="input query_weight key_weight value_weight",
        ),
        _operation(
            "qkv_parameters",
            {"names": "names"} | _WEIGHTS,
            {"names": "names", "count": "integer", "model_width": "integer", "head_width": "integer"},
        ),
        _operation(
            "qkv_initialization",
            {"prefix": "text", "model_width": "integer", "head_width": "integer", "seed": "integer"},
            _INITIAL_WEIGHTS | {"names": "names", "state": "integer"},
        ),
        _operation(
            "scaled_scores",
            _QUERY_KEY,
            {"scaled_scores": _SCORES["scaled_scores"], "raw_scores": _SCORES["raw_scores"], "scale": "float64[]"},
            required="scaled_scores",
            gradients="query key",
        ),
        _operation(
            "attention",
            _QUERY_KEY_VALUE,
            {"output": "float64[B, T, d_v]"} | _SCORES | {"probabilities": "float64[B, T, T]", "scale": "float64[]"},
            required="output",
            gradients="query key value",
        ),
        _operation("causal_mask", {"tokens": "integer"}, {"mask": "float64[tokens, tokens]"}),
        _operation(
            "causal_softmax",
            {"scores": "float64[..., T, T]"},
            {"probabilities": "float64[..., T, T]"},
            gradients="scores",
        ),
        _operation(
            "causal_attention",
            _QUERY_KEY_VALUE,
            {"output": "float64[B, T, d_v]"}
            | _SCORES
            | {"mask": "float64[T, T]", "probabilities": "float64[B, T, T]", "scale": "float64[]"},
            required="output",
            gradients="query key value",
        ),
        _operation(
            "gradient_check",
            {"analytic": "float64[...]", "numeric": "float64[...]", "tolerance": "float64[]"},
            {"scaled_difference": "float64[...]", "within": "boolean"},
        ),
    )
}
