"""The built-in targets: what they are called, what is said where a framework is missing, and what each shows."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnspec.cli import main
from attnspec.conformance.layout import WithHeadAxis
from attnspec.conformance.narrow import NarrowTarget
from attnspec.conformance.rounding import rounding_of
from attnspec.conformance.runner import run
from attnspec.conformance.target import Target, TargetFault, ask
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import CaseReport, Verdict
from attnspec.corpus.request import Answered, Errored, Refused, Request
from attnspec.numeric.formats import FORMATS, dtype_named
from attnspec.targets import jax_refusals, numpy_attention, torch_refusals
from attnspec.targets.built_in import BUILT_IN, BuiltIn
from attnspec.targets.loading import load_any
from attnspec.targets.python_target import PythonTarget
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS, ROOT, fixtures

needs_torch = pytest.mark.skipif(BUILT_IN["torch"].missing != "", reason="torch is not installed")
needs_jax = pytest.mark.skipif(BUILT_IN["jax"].missing != "", reason="jax is not installed")

NOT_THERE = "a_framework_that_nobody_has"


@pytest.fixture
def without_framework(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "lamp", BuiltIn("attnspec.targets.numpy_attention", (NOT_THERE,), "lamp"))


@pytest.mark.parametrize("more", [[], ["--in-process"]])
def test_a_framework_that_is_not_installed_is_one_line_with_the_extra(
    without_framework: None, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    assert main(["check", "lamp", *more]) == 2
    assert capsys.readouterr() == (
        "",
        f"lamp: needs {NOT_THERE}, which is not installed; pip install 'attnspec[lamp]'\n",
    )


def test_a_framework_that_fails_to_import_is_told_apart_from_one_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "broken_framework.py").write_text("import a_part_that_is_gone\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(BUILT_IN, "lamp", BuiltIn("broken_framework", ("broken_framework",), "lamp"))
    with pytest.raises(TargetFault, match=r"broken_framework: cannot be loaded: .*a_part_that_is_gone"):
        load_any("lamp")


@pytest.mark.parametrize("name", ["pytorch", "torch-fast", ""])
def test_an_unknown_name_lists_what_is_known(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["check", name]) == 2
    out, error = capsys.readouterr()
    assert (out, error.count("\n")) == ("", 1)
    assert error.startswith(f"{name}: no such target; known: numpy, torch, ")


def test_a_module_on_the_path_is_no_unknown_name() -> None:
    with pytest.raises(TargetFault, match="math: no function named after an operation"):
        load_any("math")


def test_every_built_in_target_has_its_module_here_and_its_extra_in_the_package() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for name, target in BUILT_IN.items():
        module = target.place.partition(":")[0]
        assert (ROOT / "src" / f"{module.replace('.', '/')}.py").is_file(), name
        assert set(filter(None, target.extra.split(","))) <= set(extras), name
        assert not any(mark in name for mark in ":./ "), name


def test_list_names_each_target_with_its_version_or_its_extra(
    without_framework: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "--targets"]) == 0
    lines = {line.split()[0]: " ".join(line.split()[1:]) for line in capsys.readouterr().out.splitlines()}
    assert list(lines) == list(BUILT_IN)
    assert lines["numpy"] == f"numpy {version('numpy')}"
    assert lines["lamp"] == f"{NOT_THERE} is not installed; pip install 'attnspec[lamp]'"


def test_list_gives_targets_to_machines_too(without_framework: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--targets", "--json", "-k", "lamp or numpy"]) == 0
    numpy, lamp = json.loads(capsys.readouterr().out)
    assert numpy == {"name": "numpy", "framework": "numpy", "version": version("numpy"), "missing": None, "extra": None}
    assert (lamp["version"], lamp["missing"], lamp["extra"]) == (None, NOT_THERE, "lamp")


@pytest.mark.parametrize(("selection", "said"), [("zzz", "no target matches -k 'zzz'; known: numpy"), ("(", "-k '('")])
def test_list_of_targets_says_what_matches_nothing(
    capsys: pytest.CaptureFixture[str], selection: str, said: str
) -> None:
    assert main(["list", "--targets", "-k", selection]) == 2
    assert capsys.readouterr().err.startswith(said)


def test_help_names_the_targets(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    shown = " ".join(capsys.readouterr().out.split()).replace("- ", "-")  # argparse ends lines at hyphens
    assert ", ".join(BUILT_IN) in shown


def checked(target: Target, dtype: str = "float64", every: int = 1, topic: str = "") -> list[CaseReport]:
    """Return the reports of a target on cases of profile core: every so many of them, of one topic or all."""
    declared = target.declaration
    rounding = rounding_of(dtype, declared.accumulates, declared.exp_ulps)
    judge = TruthJudge(Reference().answer, rounding=rounding, form=FORMATS[dtype])
    asked = target if declared.layout == "BTD" else WithHeadAxis(target)
    if dtype != "float64":
        asked = NarrowTarget(asked, FORMATS[dtype])
    wanted = [fixture for fixture in fixtures() if fixture.profile == "core" and fixture.id.startswith(topic)]
    return list(run(wanted[::every], asked, judge, CORPUS.read))


def failing(reports: Sequence[CaseReport]) -> list[str]:
    return [report.case for report in reports if report.verdict in (Verdict.FAILED, Verdict.ERRORED)]


@pytest.mark.parametrize(("dtype", "every"), [("float64", 1), ("float32", 1), ("float16", 3)])
def test_numpy_passes_core(dtype: str, every: int) -> None:
    reports = checked(load_any("numpy"), dtype, every)
    assert failing(reports) == []
    assert Counter(report.verdict for report in reports)[Verdict.PASSED] > len(reports) / 2


def test_numpy_with_another_scale_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_attention, "_scale", lambda query: np.asarray(1.0 / query.shape[-1], query.dtype))
    assert "causal_attention/three_tokens" in failing(checked(load_any("numpy"), topic="causal_attention/three_tokens"))


def test_numpy_through_a_process_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "numpy", "-k", "causal_attention/three_tokens"]) == 0
    assert "1 case: 1 passed" in capsys.readouterr().out


def answer(subject: object, operation: str, **inputs: Any) -> Any:
    return ask(PythonTarget(subject, "target"), Request(operation, inputs))


def zeros(*shapes: tuple[int, ...]) -> list[Any]:
    return [np.zeros(shape) for shape in shapes]


def test_numpy_names_the_fault_where_its_message_shows_it() -> None:
    left, right, line = zeros((2, 3), (2, 3), ())
    assert answer(numpy_attention, "matrix_product", left=left, right=right).code == "inner_width"
    assert answer(numpy_attention, "linear_projection", input=left, weight=right).code == "input_width"
    assert answer(numpy_attention, "scaled_scores", query=left, key=right[:, :2]).code == "width_mismatch"
    assert answer(numpy_attention, "matrix_product", left=line, right=right).code == "rank"
    assert answer(numpy_attention, "causal_mask", tokens=-1).code == "negative_tokens"
    in_a_head = answer(numpy_attention, "attention", query=left, key=right[:, :2], value=right)
    assert isinstance(in_a_head, Refused)
    assert in_a_head.code is None  # of two products, the message does not say which


@pytest.mark.parametrize(
    ("operation", "message", "code"),
    [
        ("matrix_product", "mat1 and mat2 shapes cannot be multiplied (3x2 and 3x2)", "inner_width"),
        ("attention", "mat1 and mat2 shapes cannot be multiplied (3x2 and 3x2)", None),
        ("scaled_scores", "Expected size for first two dimensions of batch2 tensor to be: [1, 2]", "width_mismatch"),
        (
            "attention",
            "No available kernel. Got Query.size(-1): 2, Key.size(-1): 1, Value.size(-1): 2",
            "width_mismatch",
        ),
        ("attention", "No available kernel. Got Query.size(-1): 2, Key.size(-1): 2, Value.size(-1): 4", None),
        ("attention", "both fused kernels require query, key and value to have the same batch_size", "batch_mismatch"),
        ("attention", "requires query, key and value to be 4 dimensional, but got Query dim: 3", "rank"),
        ("linear_projection", "t() expects a tensor with <= 2 dimensions, but self is 3D", "weight_rank"),
        ("qkv_projection", "t() expects a tensor with <= 2 dimensions, but self is 3D", "branch"),
        ("causal_mask", "Trying to create tensor with negative dimension -1: [-1, -1]", "negative_tokens"),
        ("causal_mask", "DefaultCPUAllocator: can't allocate memory", "mask_memory"),
        ("causal_mask", "something new", None),
    ],
)
def test_the_words_of_torch_have_codes(operation: str, message: str, code: str | None) -> None:
    assert torch_refusals.error_code(RuntimeError(message), operation) == code


@pytest.mark.parametrize(
    ("operation", "message", "code"),
    [
        ("matrix_product", "dot_general requires contracting dimensions to have the same shape", "inner_width"),
        ("attention", "value shape should be [1, 3, 1, 2]: but got (1, 2, 1, 2)", "token_mismatch"),
        ("attention", "value shape should be [1, 3, 1, 2]: but got (2, 3, 1, 2)", "batch_mismatch"),
        ("attention", "value shape should be [1, 3, 1, 2]: but got (1, 3, 1, 4)", None),
        ("attention", "query ndim should be 4, but got 5", "rank"),
        ("causal_mask", "broadcast_in_dim shape must have every element be nonnegative", "negative_tokens"),
        ("causal_mask", "something new", None),
    ],
)
def test_the_words_of_jax_have_codes(operation: str, message: str, code: str | None) -> None:
    assert jax_refusals.error_code(ValueError(message), operation) == code


@pytest.mark.parametrize(
    "words",
    [
        "dot_general requires contracting dimensions to have the same shape, got (2,) and (3,).",
        "broadcast_in_dim shape must have every element be nonnegative, got (-1, -1).",
    ],
)
def test_a_type_error_of_jax_is_a_refusal_only_where_it_speaks_of_shapes(words: str) -> None:
    with pytest.raises(jax_refusals.JaxRefusal, match=r"^TypeError: (dot|broad)"), jax_refusals.own_words():
        raise TypeError(words)
    with pytest.raises(TypeError, match="takes 2 arguments"), jax_refusals.own_words():
        raise TypeError("f() takes 2 arguments")


class OfAnotherType:
    DTYPES = ("float32",)

    @staticmethod
    def causal_mask(tokens: int) -> Any:
        return np.triu(np.full((tokens, tokens), -np.inf), 1)

    @staticmethod
    def exponential(x: Any) -> Any:
        return np.exp(x).astype(np.float64)


def test_a_type_is_held_against_a_target_only_where_the_request_told_it_one() -> None:
    target = PythonTarget(OfAnotherType, "target")
    assert failing(checked(target, "float32", topic="causal_mask/")) == []
    assert failing(checked(target, "float32", topic="exponential/")) != []


@needs_torch
@pytest.mark.parametrize("name", ["torch", "torch-flash", "torch-math"])
def test_torch_runs_through_core(name: str) -> None:
    reports = checked(load_any(name), every=10)
    assert Counter(report.verdict for report in reports)[Verdict.PASSED] > len(reports) / 2
    assert Counter(report.verdict for report in reports)[Verdict.ERRORED] == 0


@needs_torch
def test_flash_is_flash_and_refuses_what_it_has_no_kernel_for() -> None:
    import torch

    from attnspec.targets.torch_attention import DEFAULT, FLASH, MATH

    def step(target: Any, dtype: Any) -> str:
        tensors = [torch.ones(1, 1, 3, 2, dtype=dtype, requires_grad=True) for _ in range(3)]
        return type(target.attend(*tensors, is_causal=True)["output"].grad_fn).__name__

    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        assert "FlashAttention" in step(FLASH, dtype)
        assert "FlashAttention" in step(DEFAULT, dtype)
        assert "FlashAttention" not in step(MATH, dtype)
    query, key, value = zeros((1, 1, 3, 2), (1, 1, 3, 2), (1, 1, 3, 4))
    assert isinstance(answer(DEFAULT, "attention", query=query, key=key, value=value), Answered)
    refused = answer(FLASH, "attention", query=query, key=key, value=value)
    assert isinstance(refused, Refused)
    assert refused.code is None
    assert "requires q,k,v to have the same last dimension" in refused.message


@needs_torch
@pytest.mark.parametrize(("dtype", "largest"), [("float16", 2048.0), ("bfloat16", 256.0)])
def test_torch_sums_narrow_types_in_float32(dtype: str, largest: float) -> None:
    from attnspec.targets.torch_attention import FLASH, MATH

    form = dtype_named(dtype)
    row = np.array([[largest] + [1.0] * 100]).astype(form)  # adding 1 to the largest changes nothing in the type
    product = answer(FLASH, "matrix_product", left=row, right=np.ones((101, 1)).astype(form)).outputs["product"]
    assert (product.dtype, float(product[0, 0])) == (form, largest + 100)
    even = np.zeros((1, 1, 128, 2)).astype(form)
    value = np.ones((1, 1, 128, 2)).astype(form)
    value[0, 0, 0] = 8 * largest
    for target in (FLASH, MATH):
        mean = answer(target, "attention", query=even, key=even, value=value).outputs["output"]
        assert float(mean[0, 0, 0, 0]) == float(np.array((8 * largest + 127) / 128).astype(form)) > largest / 16


@needs_torch
def test_a_fused_kernel_is_asked_for_nothing_but_its_output() -> None:
    query, key, value = zeros((1, 1, 3, 2), (1, 1, 3, 2), (1, 1, 3, 2))
    reply = answer(load_any("torch")._subject, "attention", query=query, key=key, value=value)  # type: ignore[attr-defined]
    assert list(reply.outputs) == ["output"]


@needs_jax
@pytest.mark.parametrize("name", ["jax", "jax-jit"])
def test_jax_runs_through_core_and_computes_attention_in_float32(name: str) -> None:
    reports = checked(load_any(name), every=40)
    assert Counter(report.verdict for report in reports)[Verdict.PASSED] > len(reports) / 2
    (wrong,) = checked(load_any(name), topic="causal_attention/three_tokens")
    assert "computed in float32" in " ".join(str(found) for part in wrong.parts for found in part.findings)
    assert failing(checked(load_any(name), "float32", topic="causal_attention/three_tokens")) == []


@needs_jax
def test_a_type_error_of_the_jax_target_itself_is_no_refusal() -> None:
    from attnspec.targets.jax_attention import EAGER

    (left,) = zeros((2, 2))
    assert isinstance(answer(EAGER, "matrix_product", left=left, right="no tensor"), Errored)
