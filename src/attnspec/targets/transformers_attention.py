"""The eager attention of Transformers' Llama, with the mask that the library makes for it (conformance)."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import transformers
from transformers.masking_utils import create_causal_mask
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import eager_attention_forward

from attnspec.targets.torch_framework import TORCH

NAME = "transformers"
VERSION = transformers.__version__
DTYPES = ("float64", "float32", "float16", "bfloat16")
LAYOUT = "BHTD"
REFUSALS = (ValueError, RuntimeError)

_CONFIG = LlamaConfig(attn_implementation="eager")
_LAYER = SimpleNamespace(num_key_value_groups=1, training=False)  # all that is read of it


def _attend(query: Any, key: Any, value: Any, is_causal: bool) -> dict[str, Any]:
    mask = create_causal_mask(_CONFIG, query[:, 0], None, None) if is_causal else None  # [B, 1, T, T]
    scaling = query.shape[-1] ** -0.5  # as its layers have it
    output, probabilities = eager_attention_forward(_LAYER, query, key, value, mask, scaling)
    return {"output": output.transpose(1, 2), "probabilities": probabilities}  # it answers [B, T, H, d_v]


def error_code(exception: Exception, operation: str) -> str | None:
    """Return the code of a refusal where the message says it; a product that does not fit may be either of two."""
    return "batch_mismatch" if str(exception).endswith("at non-singleton dimension 0") else None


attention, attention_vjp = TORCH.attention(partial(_attend, is_causal=False))
causal_attention, causal_attention_vjp = TORCH.attention(partial(_attend, is_causal=True))
