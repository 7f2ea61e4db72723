"""The form of a report as `check --json` writes it and `compare` reads it (conformance)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT: Literal[1] = 1

VerdictName = Literal["passed", "failed", "errored", "skipped"]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0.0)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Time = Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]


class Closed(BaseModel):
    """A mapping with these keys and no others, each of exactly its type."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True, defer_build=True
    )


class Finding(Closed):
    """One thing that was wrong."""

    message: str
    """All of it in one line for a person."""
    tensor: str | None = None
    """The output, or `gradients.` and the input."""
    index: tuple[Count, ...] | None = None
    """Where in the tensor; empty for what is no element."""
    expected: str | None = None
    """The truth, as a decimal that reads back to the same number, or in words."""
    got: str | None = None
    """What came instead."""
    ulps: Count | None = None
    """How far the two are apart, in steps of the type that was asked for."""
    bound: Share | None = None
    """How far they may be apart."""
    share: Share | None = None
    """How many times the bound they are apart; absent where the bound is 0 or the distance no number."""


class PartReport(Closed):
    """What became of one part of a case: `forward`, `gradients`, `replay` or a law."""

    name: str
    """Unique within its case."""
    verdict: VerdictName
    """What became of it."""
    findings: tuple[Finding, ...] = ()
    """What was wrong."""
    remark: str = ""
    """Why it was skipped, or what else a reader should know."""
    share: Share | None = None
    """The largest share of an error bound that was used where it was kept."""
    ulps: Count | None = None
    """The distance from the truth at that element, in steps of the type that was asked for."""
    known: str = ""
    """Why it is known to fail, where a list of known failures says so."""


class CaseResult(Closed):
    """What became of one case."""

    id: str
    """Its path in the corpus."""
    operation: str
    """What was asked."""
    profile: str
    """The profile that the case belongs to."""
    verdict: VerdictName
    """The gravest verdict of its parts."""
    known: bool = False
    """Whether it failed in nothing that is not known to fail."""
    clauses: tuple[str, ...]
    """The clauses of the specification that it shows."""
    parts: tuple[PartReport, ...]
    """Its parts, in the order in which they were asked."""


class Software(Closed):
    """What judged."""

    attnspec: str
    """Its version."""
    python: str
    """The version of the Python that it ran in."""
    numpy: str
    """The version of its NumPy."""


class Machine(Closed):
    """Where it ran."""

    system: str
    """The operating system."""
    machine: str
    """The kind of processor."""


class TargetAbout(Closed):
    """What was checked, as it declares itself."""

    name: str
    """Of the target."""
    version: str
    """Empty where it declares none."""
    layout: str
    """The axes of its tensors."""
    exp_ulps: float
    """The error of its exponential."""
    accumulates: str
    """The wider type that it computes in; empty where it is the type that was asked for."""


class Options(Closed):
    """What was asked of it."""

    level: Annotated[str, Field(pattern="^(bits|bound)$")]
    """`bits` or `bound`: how equal is equal."""
    dtype: str
    """The type that it was asked in."""
    profiles: tuple[str, ...]
    """The profiles that were asked."""
    selection: str = ""
    """The expression that case ids had to match."""
    require_repeatable: bool
    """Whether two runs had to agree in every bit."""


class CorpusAbout(Closed):
    """The fixtures."""

    cases: Count
    """How many there are in all profiles."""
    hash: Sha256
    """SHA-256 over names and bytes of fixtures and goldens."""


class Summary(Closed):
    """How many cases have each verdict."""

    cases: Count
    """How many were asked."""
    passed: Count
    """In every part that was not skipped."""
    failed: Count
    """Another answer than the specified one."""
    errored: Count
    """No answer."""
    skipped: Count
    """Not asked, or nothing could be compared."""
    known: Count = 0
    """How many of the failed and errored ones failed in nothing that is not known to fail."""


class LikelyBugReport(Closed):
    """Broken twins that fail the very cases that the target failed, in the same places."""

    twins: dict[str, str]
    """What is wrong with each, by its file in tests/broken; several where the cases do not tell them apart."""
    operations: tuple[str, ...]
    """Where that is so."""
    cases: Count
    """How many cases failed there."""


class Report(Closed):
    """What a run of `attnspec check` found."""

    format: Literal[1]
    """The version of this form."""
    started: Time
    """When the run began, in UTC."""
    seconds: Share
    """How long it took."""
    interrupted: bool = False
    """Whether it was stopped before its end; the cases are those that were asked until then."""
    untrue: tuple[str, ...] = ()
    """What is wrong with the list of known failures: what passed unexpectedly, matched nothing, or is past its date."""
    checked_by: Software
    platform: Machine
    target: TargetAbout
    options: Options
    corpus: CorpusAbout
    summary: Summary
    likely_bugs: tuple[LikelyBugReport, ...] = ()
    """What failed as it fails with a known bug; the one that explains most cases comes first."""
    cases: tuple[CaseResult, ...]
    """In the order of their ids' folders and names."""
