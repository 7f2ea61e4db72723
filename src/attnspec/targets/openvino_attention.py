"""OpenVINO's ScaledDotProductAttention of opset 13, compiled for the CPU (conformance)."""

from __future__ import annotations

from functools import lru_cache, partialmethod
from typing import Any

import numpy as np
import openvino as ov
from openvino import opset13

Array = Any


class OpenVinoAttention:
    """The operator in a model of its own, compiled for each shape.

    Args:
        name: what reports call it.
        settings: of the CPU plugin; without any, it computes in bfloat16 where the machine has instructions for it.
    """

    VERSION = ov.__version__.partition("-")[0]
    DTYPES = ("float64", "float32", "float16")
    LAYOUT = "BHTD"
    REFUSALS = (RuntimeError,)

    def __init__(self, name: str, settings: dict[str, str]) -> None:
        self.NAME = name
        self._compiled = lru_cache(maxsize=64)(self._compile)
        self._settings = settings

    def _forward(self, query: Array, key: Array, value: Array, is_causal: bool) -> Array:
        inputs = (query, key, value)
        model = self._compiled(is_causal, *((array.dtype.name, array.shape) for array in inputs))
        return model(inputs)[0]

    def _compile(self, is_causal: bool, *inputs: tuple[str, tuple[int, ...]]) -> Any:
        parameters = [opset13.parameter(shape, ov.Type(np.dtype(dtype))) for dtype, shape in inputs]
        node = opset13.scaled_dot_product_attention(*parameters, causal=is_causal)
        return ov.Core().compile_model(ov.Model([node], parameters, "attention"), "CPU", self._settings)

    attention = partialmethod(_forward, is_causal=False)
    causal_attention = partialmethod(_forward, is_causal=True)


DEFAULT = OpenVinoAttention("openvino", {})
ACCURATE = OpenVinoAttention("openvino-accurate", {"EXECUTION_MODE_HINT": "ACCURACY"})
