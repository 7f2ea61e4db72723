"""Profiles, verdicts, levels and targets: what the judge says of good and bad implementations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnspec.cli import main
from attnspec.conformance.profiles import PROFILES, choose_profiles
from attnspec.conformance.report import exit_status
from attnspec.conformance.runner import check_case
from attnspec.conformance.target import Declaration, TargetFault
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import CaseReport, Part, Verdict, worst
from attnspec.corpus.fixture import Fixture
from attnspec.targets.loading import load_target
from attnspec.targets.python_target import PythonTarget
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS, ROOT, fixtures
from plain import target as plain

JUDGE = {level: TruthJudge(Reference().answer, level) for level in ("bits", "bound")}
THREE_TOKENS = CORPUS.read("causal_attention/three_tokens")


class Made:
    """A target made of the plain reference with some functions replaced or taken away."""

    def __init__(self, **functions: Callable[..., Any] | None) -> None:
        for name in vars(plain):
            setattr(self, name, getattr(plain, name))
        for name, function in functions.items():
            if function is None:
                delattr(self, name)
            else:
                setattr(self, name, function)


def parts(fixture: Fixture, level: str = "bound", repeatable: bool = False, **functions: Any) -> dict[str, Part]:
    judge = TruthJudge(Reference().answer, level, require_repeatable=True) if repeatable else JUDGE[level]
    target = PythonTarget(Made(**functions), "made")
    return {part.name: part for part in check_case(fixture, target, judge, CORPUS.read)}


def causal(change: Callable[[dict[str, Any]], object]) -> Callable[..., dict[str, Any]]:
    """Return the plain causal head with something done to its outputs."""

    def function(**inputs: Any) -> dict[str, Any]:
        outputs = dict(plain.causal_attention(**inputs))
        change(outputs)
        return outputs

    return function


@pytest.mark.clause("conformance.1")
def test_a_target_is_asked_core_the_reference_all_but_large_and_a_choice_is_exact() -> None:
    assert choose_profiles((), is_reference=False) == ("core",)
    assert set(PROFILES) - set(choose_profiles((), is_reference=True)) == {"large"}
    assert choose_profiles(("init", "strict"), is_reference=True) == ("strict", "init")
    assert choose_profiles(("all",), is_reference=False) == tuple(PROFILES)
    assert {fixture.profile for fixture in fixtures()} == set(PROFILES)


@pytest.mark.clause("conformance.2")
def test_a_report_names_what_it_did_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-k", "three_tokens", "--profile", "core"]) == 0
    out = capsys.readouterr().out
    assert all(f"not run: profile {name} ({told})" in out for name, told in PROFILES.items() if name != "core")


@pytest.mark.clause("conformance.3")
def test_the_parts_of_a_case_are_forward_gradients_replay_and_its_laws() -> None:
    assert {"forward", "gradients", "replay", "perturbation"} <= set(parts(THREE_TOKENS))
    twice = CORPUS.read("causal_attention/poisoned_key")
    named = [part.name for part in check_case(twice, Reference(), JUDGE["bits"], CORPUS.read)]
    assert {"isolation", "isolation#2"} <= set(named)


@pytest.mark.clause("conformance.4")
@pytest.mark.parametrize(
    ("function", "verdict"),
    [
        (lambda **inputs: 1 / 0, Verdict.ERRORED),
        (lambda **inputs: "nonsense", Verdict.ERRORED),
        (lambda **inputs: {}, Verdict.FAILED),
        (causal(lambda outputs: outputs["output"].__iadd__(1.0)), Verdict.FAILED),
        (causal(lambda outputs: None), Verdict.PASSED),
    ],
)
def test_what_breaks_is_errored_and_what_is_wrong_is_failed(function: Any, verdict: Verdict) -> None:
    assert parts(THREE_TOKENS, causal_attention=function)["forward"].verdict is verdict


@pytest.mark.clause("conformance.5")
def test_a_case_takes_the_gravest_verdict_that_is_not_skipped() -> None:
    skipped, passed, failed, errored = Verdict.SKIPPED, Verdict.PASSED, Verdict.FAILED, Verdict.ERRORED
    assert worst([skipped, passed]) is passed
    assert worst([passed, errored, failed]) is errored
    assert worst([failed, passed]) is failed
    assert worst([skipped, skipped]) is skipped


@pytest.mark.clause("conformance.6")
def test_required_outputs_are_owed_and_intermediates_are_not() -> None:
    without_mask = causal(lambda outputs: outputs.pop("mask"))
    without_output = causal(lambda outputs: outputs.pop("output"))
    assert parts(THREE_TOKENS, causal_attention=without_mask)["forward"].verdict is Verdict.PASSED
    failed = parts(THREE_TOKENS, causal_attention=without_output)["forward"]
    assert failed.verdict is Verdict.FAILED
    assert "required" in str(failed.findings[0])


@pytest.mark.clause("conformance.6")
def test_what_a_target_lacks_is_skipped() -> None:
    assert {part.verdict for part in parts(THREE_TOKENS, causal_attention=None).values()} == {Verdict.SKIPPED}
    gradients = parts(THREE_TOKENS, causal_attention_vjp=None)["gradients"]
    assert (gradients.verdict, gradients.remark) == (Verdict.SKIPPED, "no causal_attention_vjp")

    def outputs_only(query: Any, key: Any, value: Any, output_upstream: Any) -> dict[str, Any]:
        return plain.causal_attention_vjp(query, key, value, output_upstream=output_upstream)

    named = parts(CORPUS.read("causal_attention/every_upstream"), causal_attention_vjp=outputs_only)["gradients"]
    assert named.verdict is Verdict.SKIPPED
    assert "needs raw_scores_upstream" in named.remark
    assert parts(THREE_TOKENS, causal_attention_vjp=outputs_only)["gradients"].verdict is Verdict.PASSED


class Refusal(Exception):
    def __init__(self, code: str) -> None:
        self.code = code


def refusing(error: Exception) -> Callable[..., Any]:
    def function(**inputs: Any) -> Any:
        raise error

    return function


@pytest.mark.clause("conformance.7")
@pytest.mark.clause("conformance.20")
@pytest.mark.parametrize(
    ("error", "verdict", "said"),
    [
        (Refusal("width_mismatch"), Verdict.PASSED, "details"),
        (Refusal("token_mismatch"), Verdict.FAILED, "wrong code"),
        (ValueError("shapes differ"), Verdict.PASSED, "uncoded"),
        (MemoryError(), Verdict.FAILED, "mask_memory"),
        (TypeError("no"), Verdict.ERRORED, "TypeError"),
    ],
)
def test_a_refusal_is_judged_by_its_code(error: Exception, verdict: Verdict, said: str) -> None:
    fixture = CORPUS.read("causal_attention/rejected/width_mismatch")
    part = parts(fixture, causal_attention=refusing(error))["forward"]
    assert part.verdict is verdict
    assert said in part.remark + " ".join(map(str, part.findings))


@pytest.mark.clause("conformance.7")
def test_an_answer_where_a_refusal_is_expected_fails() -> None:
    fixture = CORPUS.read("causal_attention/rejected/width_mismatch")
    part = parts(fixture, causal_attention=lambda **inputs: np.zeros((1, 2, 2)))["forward"]
    assert part.verdict is Verdict.FAILED


@pytest.mark.clause("conformance.8")
def test_a_target_that_writes_into_its_input_or_upstream_fails() -> None:
    def writes(query: Any, key: Any, value: Any) -> Any:
        output = plain.causal_attention(query=query, key=key, value=value)
        key *= 2.0
        return output

    def overwrites(query: Any, key: Any, value: Any, output_upstream: Any) -> Any:
        gradients = plain.causal_attention_vjp(query, key, value, output_upstream=output_upstream)
        output_upstream[:] = 0.0
        return gradients

    assert "wrote into key" in parts(THREE_TOKENS, causal_attention=writes)["forward"].findings
    found = parts(THREE_TOKENS, causal_attention_vjp=overwrites)["forward"].findings
    assert "wrote into output_upstream" in found


@pytest.mark.clause("conformance.9")
def test_runs_that_differ_within_the_bound_fail_only_where_that_was_asked() -> None:
    turn = iter(range(10**6))

    def drifting(**inputs: Any) -> Any:
        output = plain.causal_attention(**inputs)["output"]
        return np.nextafter(output, np.inf) if next(turn) % 2 else output

    lenient = parts(THREE_TOKENS, causal_attention=drifting)["replay"]
    assert (lenient.verdict, "two runs differ" in lenient.remark) == (Verdict.PASSED, True)
    assert parts(THREE_TOKENS, repeatable=True, causal_attention=drifting)["replay"].verdict is Verdict.FAILED
    assert parts(THREE_TOKENS, "bits", causal_attention=drifting)["replay"].verdict is Verdict.FAILED


@pytest.mark.clause("conformance.9")
def test_a_second_run_that_is_far_off_fails_whatever_was_asked() -> None:
    turn = iter(range(10**6))

    def forgetful(**inputs: Any) -> Any:
        output = plain.causal_attention(**inputs)["output"]
        return 0.0 * output + 7.0 if next(turn) % 2 else output

    found = parts(CORPUS.read("causal_attention/square_keys"), causal_attention=forgetful)
    assert found["forward"].verdict is Verdict.PASSED
    assert found["replay"].verdict is Verdict.FAILED


@pytest.mark.clause("conformance.8")
def test_an_input_that_is_written_into_by_the_second_run_alone_fails() -> None:
    turn = iter(range(10**6))

    def late(query: Any, key: Any, value: Any) -> Any:
        output = plain.causal_attention(query=query, key=key, value=value)["output"]
        key *= 1.0 + next(turn) % 2
        return output

    found = parts(CORPUS.read("causal_attention/square_keys"), causal_attention=late)
    assert found["forward"].verdict is Verdict.PASSED
    assert "wrote into key" in found["replay"].findings


@pytest.mark.clause("conformance.16")
def test_an_exponential_is_as_far_off_as_the_target_declares_and_no_further(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "target.py"
    coarse = "import numpy as np\ndef exponential(x): return np.exp(x) * (1 + 2.0**-48)\n"
    for declared, status in (
        ("", 1),
        ("EXP_ULPS = 64\n", 0),
        ("EXP_ULPS = float('nan')\n", 2),
        ("EXP_ULPS = 1e9\n", 2),
    ):
        target.write_text(declared + coarse)
        report = tmp_path / "report.json"
        assert main(["check", str(target), "-k", "exponential/halves", "--in-process", "--json", str(report)]) == status
    said = capsys.readouterr()
    assert "its exponential within 64 ulps as it declares" in said.out
    assert "exp_ulps is nan" in said.err
    about = json.loads(report.read_text())["target"]
    assert about == {"name": "target", "version": "", "layout": "BTD", "exp_ulps": 64, "accumulates": ""}


@pytest.mark.parametrize(("declared", "fault"), [({"layout": "TBD"}, "layout 'TBD'"), ({"accumulates": "f4"}, "'f4'")])
def test_a_declaration_in_unknown_words_is_refused(declared: dict[str, str], fault: str) -> None:
    with pytest.raises(TargetFault, match=fault):
        Declaration("odd", **declared)  # type: ignore[arg-type]


@pytest.mark.clause("conformance.10")
@pytest.mark.parametrize(
    ("verdicts", "status"),
    [
        ((Verdict.PASSED, Verdict.SKIPPED), 0),
        ((Verdict.PASSED, Verdict.FAILED), 1),
        ((Verdict.PASSED, Verdict.ERRORED), 1),
        ((Verdict.SKIPPED,), 2),
        ((), 2),
    ],
)
def test_the_status_says_whether_everything_that_was_checked_passed(verdicts: tuple[Verdict, ...], status: int) -> None:
    reports = [CaseReport("case", "attention", "core", "", (), (Part("forward", verdict),)) for verdict in verdicts]
    assert exit_status(reports) == status


@pytest.mark.clause("conformance.11")
@pytest.mark.clause("conformance.12")
def test_one_ulp_fails_at_bits_and_passes_at_bound() -> None:
    nudged = causal(lambda outputs: outputs.update(output=np.nextafter(outputs["output"], np.inf)))
    assert parts(THREE_TOKENS, "bits", causal_attention=nudged)["forward"].verdict is Verdict.FAILED
    within = parts(THREE_TOKENS, causal_attention=nudged)["forward"]
    assert within.verdict is Verdict.PASSED
    assert within.share is not None
    assert 0.0 < within.share <= 1.0


@pytest.mark.clause("conformance.11")
def test_a_zero_of_the_other_sign_fails_at_bits_and_passes_at_bound() -> None:
    def minus(outputs: dict[str, Any]) -> None:
        outputs["probabilities"] = np.where(outputs["probabilities"] == 0.0, -0.0, outputs["probabilities"])

    assert parts(THREE_TOKENS, "bits", causal_attention=causal(minus))["forward"].verdict is Verdict.FAILED
    assert parts(THREE_TOKENS, causal_attention=causal(minus))["forward"].verdict is Verdict.PASSED


@pytest.mark.clause("conformance.12")
@pytest.mark.parametrize(
    "change",
    [
        lambda output: output.astype(np.float32),
        lambda output: np.swapaxes(output, 1, 2),
        lambda output: output * (1 + 1e-12),
        lambda output: output * np.nan,
    ],
)
def test_another_type_another_shape_and_what_is_beyond_the_bound_fail(change: Callable[[Any], Any]) -> None:
    changed = causal(lambda outputs: outputs.update(output=change(outputs["output"])))
    part = parts(THREE_TOKENS, causal_attention=changed)["forward"]
    assert part.verdict is Verdict.FAILED
    assert str(part.findings[0]).startswith("output")


@pytest.mark.clause("conformance.13")
def test_where_the_bound_says_nothing_the_report_says_so_and_nothing_is_compared() -> None:
    part = parts(CORPUS.read("causal_attention/largest_values"))["forward"]
    assert part.verdict is Verdict.PASSED
    assert "the bound says nothing of 4 of 4 elements of output" in part.remark
    nothing = causal(lambda outputs: [outputs.pop(name) for name in list(outputs) if name != "output"])
    alone = parts(CORPUS.read("causal_attention/largest_values"), causal_attention=nothing)["forward"]
    assert alone.verdict is Verdict.SKIPPED


@pytest.mark.clause("conformance.18")
@pytest.mark.clause("conformance.19")
def test_a_target_may_answer_with_the_required_output_alone_and_gets_the_upstreams_it_needs() -> None:
    seen: dict[str, Any] = {}

    def alone(query: Any, key: Any, value: Any) -> Any:
        return plain.causal_attention(query=query, key=key, value=value)["output"]

    def vjp(query: Any, key: Any, value: Any, output_upstream: Any, probabilities_upstream: Any) -> Any:
        seen.update(output=output_upstream, probabilities=probabilities_upstream)
        return plain.causal_attention_vjp(query, key, value, output_upstream=output_upstream)

    found = parts(THREE_TOKENS, causal_attention=alone, causal_attention_vjp=vjp)
    assert found["forward"].verdict is Verdict.PASSED
    assert "probabilities" in seen


@pytest.mark.clause("conformance.20")
@pytest.mark.parametrize("kind", [Exception, TypeError, AttributeError])
def test_a_target_may_not_hide_its_defects_behind_its_refusals(kind: type[Exception]) -> None:
    subject = Made()
    subject.REFUSALS = (ValueError, kind)  # type: ignore[attr-defined]
    with pytest.raises(TargetFault, match="hide"):
        PythonTarget(subject, "made")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no/such/file.py", "no such file"),
        ("no_such_module_at_all", "cannot be loaded"),
        ("math:no_such_attribute", "cannot be loaded"),
        ("math", "no function named after an operation"),
    ],
)
def test_a_target_that_cannot_be_used_is_one_line(text: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TargetFault, match=said):
        load_target(text)
    assert main(["check", text]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_target_that_fails_to_import_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken_import.py").write_text("import no_such_module_at_all\n")
    assert main(["check", str(tmp_path / "broken_import.py")]) == 2
    assert "no_such_module_at_all" in capsys.readouterr().err


def test_the_page_s_table_of_profiles_is_the_code_s() -> None:
    page = (ROOT / "spec" / "conformance.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (\w+) \|.*\|.*\|$", page, re.MULTILINE)[1:] == list(PROFILES)
