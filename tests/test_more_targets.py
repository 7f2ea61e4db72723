"""The frameworks beyond NumPy, torch and JAX: what each shows, and what is said where one is broken."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from attnspec.cli import main
from attnspec.conformance.layout import WithHeadAxis
from attnspec.conformance.narrow import NarrowTarget
from attnspec.conformance.process_target import ProcessTarget
from attnspec.conformance.rounding import rounding_of
from attnspec.conformance.runner import run
from attnspec.conformance.target import Target, TargetFault
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import Verdict
from attnspec.numeric.formats import FORMATS
from attnspec.targets.built_in import BUILT_IN
from attnspec.targets.loading import load_any
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS

THREE_TOKENS = "causal_attention/three_tokens"
UNMASKED = """
from attnspec.targets.loading import load_any

subject = load_any({name!r})._subject
DTYPES, LAYOUT = subject.DTYPES, getattr(subject, "LAYOUT", "BTD")
causal_attention = subject.attention
"""


@dataclass(frozen=True)
class Shows:
    """What a framework shows on three tokens.

    Args:
        float32: of its output in float32; None: that depends on the machine.
        gradients: in float32; skipped where it has none.
        float64: of its output in float64; None: it takes no float64.
    """

    float32: Verdict | None = Verdict.PASSED
    gradients: Verdict = Verdict.PASSED
    float64: Verdict | None = Verdict.PASSED


SHOWN = {
    "flax": Shows(),
    "flax-nnx": Shows(float64=Verdict.FAILED),  # float32 inside
    "keras-jax": Shows(float64=None),
    "keras-tensorflow": Shows(float64=Verdict.FAILED),  # a scale in float32
    "keras-torch": Shows(float64=None),
    "mlx": Shows(float64=Verdict.FAILED),
    "onnx-reference": Shows(gradients=Verdict.SKIPPED),
    "onnxruntime": Shows(gradients=Verdict.SKIPPED, float64=Verdict.FAILED),
    "openvino": Shows(None, Verdict.SKIPPED, Verdict.FAILED),  # bfloat16, where there are instructions for it
    "openvino-accurate": Shows(gradients=Verdict.SKIPPED, float64=Verdict.FAILED),
    "paddle": Shows(gradients=Verdict.FAILED),  # no weight is less than exp(-64): blocked keys have a little
    "tensorflow": Shows(),
    "tinygrad": Shows(),
    "transformers": Shows(float64=Verdict.FAILED),
}

where_installed = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.skipif(bool(BUILT_IN[name].missing), reason=BUILT_IN[name].missing))
        for name in SHOWN
    ],
)


@contextmanager
def served(text: str) -> Iterator[ProcessTarget]:
    """A target in a process of its own: frameworks do not expect each other in one."""
    with ProcessTarget([sys.executable, "-m", "attnspec.targets.serve", text]) as target:
        yield target


def verdicts(target: Target, case: str, dtype: str) -> dict[str, Verdict]:
    declared = target.declaration
    rounding = rounding_of(dtype, declared.accumulates, declared.exp_ulps)
    judge = TruthJudge(Reference().answer, rounding=rounding, form=FORMATS[dtype])
    asked = target if declared.layout == "BTD" else WithHeadAxis(target)
    if dtype != "float64":
        asked = NarrowTarget(asked, FORMATS[dtype])
    (report,) = run([CORPUS.read(case)], asked, judge, CORPUS.read)
    return {part.name: part.verdict for part in report.parts}


@where_installed
def test_a_framework_shows_on_three_tokens_what_it_is_known_for(name: str) -> None:
    expected = SHOWN[name]
    with served(name) as target:
        narrow = verdicts(target, THREE_TOKENS, "float32")
        if expected.float32:
            assert (narrow["forward"], narrow["replay"]) == (expected.float32, Verdict.PASSED)
        assert narrow["gradients"] is expected.gradients
        assert ("float64" in target.declaration.dtypes) is (expected.float64 is not None)
        if expected.float64:
            assert verdicts(target, THREE_TOKENS, "float64")["forward"] is expected.float64
        assert verdicts(target, "attention/rejected/width_mismatch", "float32") == {"forward": Verdict.PASSED}


@where_installed
def test_a_framework_without_its_mask_fails(name: str, tmp_path: Path) -> None:
    unmasked = tmp_path / "unmasked.py"
    unmasked.write_text(UNMASKED.format(name=name))
    with served(str(unmasked)) as target:
        assert verdicts(target, THREE_TOKENS, "float32")["forward"] is Verdict.FAILED


def test_each_name_is_known_to_the_command_line() -> None:
    assert set(SHOWN) < set(BUILT_IN)


Planted = Callable[[str, str], None]


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Planted]:
    """A framework of this name that is but a few lines; what is really installed is left alone."""

    def plant(module: str, source: str) -> None:
        if module in sys.modules or not _is_missing(module):
            pytest.skip(f"{module} is installed")
        (tmp_path / f"{module}.py").write_text(source)

    monkeypatch.syspath_prepend(tmp_path)
    for variable in ("KERAS_BACKEND", "TF_CPP_MIN_LOG_LEVEL", "DEV"):
        monkeypatch.setenv(variable, "")
    before = set(sys.modules)
    yield plant
    for module in set(sys.modules) - before:
        del sys.modules[module]


def _is_missing(module: str) -> bool:
    return any(target.missing == module for target in BUILT_IN.values())


@pytest.mark.parametrize("name", SHOWN)
def test_a_framework_that_does_not_import_is_told_in_its_own_words(planted: Planted, name: str) -> None:
    for module in BUILT_IN[name].needs:
        planted(module, f"raise ImportError('lib{module}.so: cannot open')")
    with pytest.raises(TargetFault, match=r"cannot be loaded: ImportError: lib\w+.so: cannot open$"):
        load_any(name)


def test_a_framework_that_does_not_import_is_one_line_for_a_user(
    planted: Planted, capsys: pytest.CaptureFixture[str]
) -> None:
    planted("mlx", "raise ImportError('libmlx.so: cannot open')")
    assert main(["check", "mlx", "--in-process"]) == 2
    said = "attnspec.targets.mlx_attention: cannot be loaded: ImportError: libmlx.so: cannot open\n"
    assert capsys.readouterr() == ("", said)


def test_what_tensorflow_says_while_it_is_imported_is_not_heard_and_what_comes_after_is(
    planted: Planted, capfd: pytest.CaptureFixture[str]
) -> None:
    planted("tensorflow", "import os\nos.write(2, b'oneDNN custom operations are on')")
    import_module("attnspec.targets.tensorflow_quiet")

    os.write(2, b"heard")
    assert capfd.readouterr().err == "heard"
    assert os.environ["KERAS_BACKEND"] == "tensorflow"
