"""The Attention operator of ONNX: its reference evaluator, and ONNX Runtime on the CPU (conformance)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partialmethod
from typing import Any

import numpy as np
import onnx
from onnx import helper
from onnx.reference import ReferenceEvaluator

OPSET = 23  # the first that has the operator

Array = Any
Run = Callable[[dict[str, Array]], list[Array]]


class OnnxAttention:
    """The operator as an evaluator of models computes it.

    Args:
        name: what reports call it.
        version: of the evaluator.
        dtypes: that it takes.
        load: from a model to a function of its inputs.
        refusals: the exceptions by which the evaluator says no.
    """

    LAYOUT = "BHTD"

    def __init__(
        self,
        name: str,
        version: str,
        dtypes: tuple[str, ...],
        load: Callable[[Any], Run],
        refusals: tuple[type[Exception], ...],
    ) -> None:
        self.NAME, self.VERSION, self.DTYPES, self.REFUSALS = name, version, dtypes, refusals
        self._loaded = lru_cache(lambda dtype, is_causal: load(_model(dtype, is_causal)))

    @staticmethod
    def error_code(exception: Exception, operation: str) -> str | None:
        """Return the code of a refusal where the message says it: products and shapes inside may be any."""
        return "rank" if "Invalid rank for input" in str(exception) else None

    def _forward(self, query: Array, key: Array, value: Array, is_causal: bool) -> dict[str, Array]:
        with np.errstate(all="ignore"):
            results = self._loaded(query.dtype.name, is_causal)({"Q": query, "K": key, "V": value})
        return dict(zip(("output", "probabilities"), results, strict=True))

    attention = partialmethod(_forward, is_causal=False)
    causal_attention = partialmethod(_forward, is_causal=True)


def _model(dtype: str, is_causal: bool) -> Any:
    """Return a model of one node, for tensors of any four axes."""
    code = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    values = {name: helper.make_tensor_value_info(name, code, [None] * 4) for name in ("Q", "K", "V", "Y", "P")}
    node = helper.make_node(
        "Attention", ["Q", "K", "V"], ["Y", "", "", "P"], is_causal=int(is_causal), qk_matmul_output_mode=3
    )
    graph = helper.make_graph([node], "attention", [values[name] for name in "QKV"], [values[name] for name in "YP"])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)


def _evaluated(model: Any) -> Run:
    evaluator = ReferenceEvaluator(model)
    return lambda inputs: list(evaluator.run(None, inputs))


def _session(model: Any) -> Run:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda inputs: list(session.run(None, inputs))


def __getattr__(name: str) -> OnnxAttention:
    if name == "REFERENCE":
        every = ("float64", "float32", "float16", "bfloat16")
        return OnnxAttention("onnx-reference", onnx.__version__, every, _evaluated, (ValueError, AssertionError))
    if name == "RUNTIME":
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as state

        refusals = (state.InvalidArgument, state.Fail, state.RuntimeException)
        types = ("float64", "float32", "float16")
        return OnnxAttention("onnxruntime", onnxruntime.__version__, types, _session, refusals)
    raise AttributeError(name)
