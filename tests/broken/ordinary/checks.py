"""What is refused, with which code, and in which order. Each check is one method over the named inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Given = Mapping[str, Any]

_BAD_BYTE = re.compile(rb"[^a-z0-9_.]")
_HOLE = re.compile(rb"(?:\A|\.)(?=\.|\Z)")
_WEIGHTS = ("query_weight", "key_weight", "value_weight")
_SHAPES_OF_A_HEAD = ("ranks", "batches", "tokens", "no_tokens", "query_width", "key_width", "widths", "value_width")


class Refusal(ValueError):
    """An input is refused: `code` says which refusal it is, `details` with what data."""

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(f"{code}: {details}")
        self.code = code
        self.details = {name: value for name, value in details.items() if value is not None}


class Checks:
    ORDER: Mapping[str, tuple[str, ...]] = {
        "matrix_product": ("leaves", "left_rank", "right_rank", "leading_axes", "inner_width"),
        "xavier_uniform": ("fan_in", "fan_out"),
        "parameter_names": ("each_name", "duplicates"),
        "linear_projection": ("leaves", "weight_alone", "input_rank", "input_width"),
        "qkv_projection": ("leaves", "branches", "input_widths", "output_widths", "sequence_rank", "layer_width"),
        "qkv_parameters": ("leaves", "branches", "input_widths", "output_widths", "joint_names"),
        "qkv_initialization": ("drawn_branches",),
        "scaled_scores": ("leaves", *_SHAPES_OF_A_HEAD),
        "attention": ("leaves", *_SHAPES_OF_A_HEAD),
        "causal_mask": ("negative", "overflow", "memory"),
        "causal_softmax": ("leaves", "scores_rank", "square", "some_token"),
        "causal_attention": ("leaves", *_SHAPES_OF_A_HEAD, "mask_of_the_head"),
        "gradient_check": ("same_shape", "leaves", "tolerance"),
    }
    STAGES = ("product", "query", "key", "value", "raw_scores", "scaled_scores", "probabilities", "output")
    MOST_CELLS = 2**28

    @classmethod
    def reordered(cls, **orders: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
        """Return the orders of all operations with some of them changed."""
        return {**cls.ORDER, **orders}

    @classmethod
    def heads_reordered(cls, *order: str) -> Mapping[str, tuple[str, ...]]:
        """Return the orders of all operations with another one for scores and heads."""
        return cls.reordered(scaled_scores=order, attention=order, causal_attention=(*order, "mask_of_the_head"))

    def check(self, operation: str, inputs: Given, upstreams: Given | None = None) -> None:
        named = {f"{name}_upstream": value for name, value in (upstreams or {}).items()}
        for check in self.ORDER.get(operation, ()):
            getattr(self, f"check_{check}")({**inputs, **named} if check == "leaves" else inputs)

    # Leaves and results

    def check_leaves(self, given: Given) -> None:
        for name, value in given.items():
            if isinstance(value, np.ndarray) and name != "tolerance":
                self.refuse_non_finite("non_finite_leaf", value, tensor=name)

    def check_results(self, outputs: Given) -> None:
        for stage in self.STAGES:
            if stage in outputs:
                self.refuse_non_finite("non_finite_result", outputs[stage], stage=stage)

    def check_gradients(self, gradients: Given) -> None:
        for name, gradient in gradients.items():
            self.refuse_non_finite("non_finite_result", gradient, stage=f"gradients.{name}")

    def refuse_non_finite(self, code: str, values: Any, **place: str) -> None:
        wrong = np.flatnonzero(~np.isfinite(values))
        if wrong.size:
            raise Refusal(code, **place, index=int(wrong[0]), value=float(values.reshape(-1)[wrong[0]]))

    # Products

    def check_left_rank(self, given: Given) -> None:
        self.refuse_rank("left", given["left"], given["left"].ndim >= 2, 2)

    def check_right_rank(self, given: Given) -> None:
        self.refuse_rank("right", given["right"], given["right"].ndim >= 2, 2)

    def check_leading_axes(self, given: Given) -> None:
        expected, actual = given["left"].shape[:-2], given["right"].shape[:-2]
        if expected != actual:
            raise Refusal("shape_mismatch", expected=list(expected), actual=list(actual))

    def check_inner_width(self, given: Given) -> None:
        left, right = given["left"].shape[-1], given["right"].shape[-2]
        if left != right:
            raise Refusal("inner_width", left=left, right=right)

    def refuse_rank(self, name: str, tensor: Any, right: bool, expected: int) -> None:
        if not right:
            raise Refusal("rank", tensor=name, rank=tensor.ndim, expected=expected)

    # Weights, names, layers

    def check_fan_in(self, given: Given) -> None:
        if given["fan_in"] < 1:
            raise Refusal("zero_fan_in")

    def check_fan_out(self, given: Given) -> None:
        if given["fan_out"] < 1:
            raise Refusal("zero_fan_out")

    def check_weight_alone(self, given: Given) -> None:
        self.refuse_weight(given["weight"])

    def refuse_weight(self, weight: Any) -> None:
        self.refuse_weight_rank(weight)
        self.refuse_widths(*weight.shape)

    def refuse_weight_rank(self, weight: Any) -> None:
        if weight.ndim != 2:
            raise Refusal("weight_rank", rank=weight.ndim)

    def refuse_widths(self, fan_in: int, fan_out: int) -> None:
        self.check_fan_in({"fan_in": fan_in})
        self.check_fan_out({"fan_out": fan_out})

    def check_input_rank(self, given: Given) -> None:
        self.refuse_rank("input", given["input"], given["input"].ndim >= 1, 1)

    def check_input_width(self, given: Given) -> None:
        self.refuse_input_width(given["input"], given["weight"])

    def refuse_input_width(self, tensor: Any, weight: Any) -> None:
        if tensor.shape[-1] != weight.shape[0]:
            raise Refusal("input_width", expected=weight.shape[0], actual=tensor.shape[-1])

    def check_each_name(self, given: Given) -> None:
        for name in given["names"]:
            self.refuse_name(name)

    def refuse_name(self, name: str) -> None:
        text = name.encode("utf-8", "surrogatepass")
        if not text:
            raise Refusal("empty_name")
        hole, bad = self.hole(text), self.bad_byte(text)
        if hole is not None and (bad is None or hole < bad):
            raise Refusal("empty_segment", index=hole)
        if bad is not None:
            raise Refusal("name_byte", index=bad, byte=text[bad])

    def hole(self, text: bytes) -> int | None:
        found = _HOLE.search(text)
        return found.end() if found else None

    def bad_byte(self, text: bytes) -> int | None:
        found = _BAD_BYTE.search(text)
        return found.start() if found else None

    def check_duplicates(self, given: Given) -> None:
        names = given["names"]
        for second, name in enumerate(names):
            if name in names[:second]:
                raise Refusal("duplicate_name", name=name, first=names.index(name), second=second)

    def check_branches(self, given: Given) -> None:
        names = given.get("names", (None, None, None))
        for name, branch in zip(names, _WEIGHTS, strict=True):
            try:
                if name is not None:
                    self.refuse_name(name)
                self.refuse_weight(given[branch])
            except Refusal as fault:
                raise self.branch(branch.removesuffix("_weight"), fault) from fault

    def check_drawn_branches(self, given: Given) -> None:
        try:
            self.refuse_name(f"{given['prefix']}.query.weight")
            self.refuse_widths(given["model_width"], given["head_width"])
        except Refusal as fault:
            raise self.branch("query", fault) from fault

    def branch(self, branch: str, fault: Refusal) -> Refusal:
        return Refusal("branch", branch=branch, cause={"error": fault.code, "details": fault.details})

    def check_input_widths(self, given: Given) -> None:
        self.refuse_unequal("branch_input_widths", [given[name].shape[0] for name in _WEIGHTS])

    def check_output_widths(self, given: Given) -> None:
        self.refuse_unequal("branch_output_widths", [given[name].shape[1] for name in _WEIGHTS])

    def refuse_unequal(self, code: str, sizes: Sequence[int]) -> None:
        if len(set(sizes)) > 1:
            raise Refusal(code, **dict(zip(("query", "key", "value"), sizes, strict=False)))

    def check_joint_names(self, given: Given) -> None:
        try:
            self.check_duplicates(given)
        except Refusal as fault:
            raise Refusal("initialization", cause={"error": fault.code, "details": fault.details}) from fault

    def check_sequence_rank(self, given: Given) -> None:
        self.refuse_rank("input", given["input"], given["input"].ndim == 3, 3)

    def check_layer_width(self, given: Given) -> None:
        self.refuse_input_width(given["input"], given["query_weight"])

    # Heads

    def check_ranks(self, given: Given) -> None:
        for name, tensor in given.items():
            self.refuse_rank(name, tensor, tensor.ndim == 3, 3)

    def check_batches(self, given: Given) -> None:
        self.refuse_unequal("batch_mismatch", [tensor.shape[0] for tensor in given.values()])

    def check_tokens(self, given: Given) -> None:
        self.refuse_unequal("token_mismatch", [tensor.shape[1] for tensor in given.values()])

    def check_no_tokens(self, given: Given) -> None:
        if given["query"].shape[1] == 0:
            raise Refusal("no_tokens")

    def check_query_width(self, given: Given) -> None:
        self.refuse_zero_width("query", given)

    def check_key_width(self, given: Given) -> None:
        self.refuse_zero_width("key", given)

    def check_value_width(self, given: Given) -> None:
        self.refuse_zero_width("value", given)

    def refuse_zero_width(self, name: str, given: Given) -> None:
        if name in given and given[name].shape[2] == 0:
            raise Refusal("zero_width", tensor=name)

    def check_widths(self, given: Given) -> None:
        query, key = given["query"].shape[2], given["key"].shape[2]
        if query != key:
            raise Refusal("width_mismatch", query=query, key=key)

    def check_mask_of_the_head(self, given: Given) -> None:
        self.check_memory({"tokens": given["query"].shape[1]})

    # The mask, the softmax, the comparison of gradients

    def check_negative(self, given: Given) -> None:
        if given["tokens"] < 0:
            raise Refusal("negative_tokens", tokens=given["tokens"])

    def check_overflow(self, given: Given) -> None:
        if given["tokens"] ** 2 > 2**63 - 1:
            raise Refusal("mask_overflow", tokens=given["tokens"])

    def check_memory(self, given: Given) -> None:
        if given["tokens"] ** 2 > self.MOST_CELLS:
            raise Refusal("mask_memory", elements=given["tokens"] ** 2)

    def check_scores_rank(self, given: Given) -> None:
        self.refuse_rank("scores", given["scores"], given["scores"].ndim >= 2, 2)

    def check_square(self, given: Given) -> None:
        queries, keys = given["scores"].shape[-2:]
        if queries != keys:
            raise Refusal("not_square", queries=queries, keys=keys)

    def check_some_token(self, given: Given) -> None:
        if given["scores"].shape[-1] == 0:
            raise Refusal("no_tokens")

    def check_same_shape(self, given: Given) -> None:
        expected, actual = given["analytic"].shape, given["numeric"].shape
        if expected != actual:
            raise Refusal("shape_mismatch", expected=list(expected), actual=list(actual))

    def check_tolerance(self, given: Given) -> None:
        tolerance = float(given["tolerance"])
        if not 0.0 <= tolerance < np.inf:
            raise Refusal("invalid_tolerance")
