"""The form of a comparison as `compare --json` prints it (conformance)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from attnspec.conformance.report_model import Closed, Count, Share, VerdictName

Before = VerdictName | Literal["absent"]


class Difference(Closed):
    """What one report says of its run and the other says otherwise."""

    what: str
    """The section of the report and the entry in it."""
    first: str
    """What the first says, in words."""
    second: str
    """What the second says."""


class Change(Closed):
    """Parts of a case whose verdicts changed in the same way."""

    case: str
    """Its id."""
    parts: tuple[str, ...]
    """Their names."""
    first: Before
    """What became of them; `absent` where the first report lacks the case."""
    second: VerdictName
    """What becomes of them now."""
    why: str
    """The first finding, or why they were skipped; empty where they pass."""


class Growth(Closed):
    """A part that passed both times and came closer to its bound."""

    case: str
    """Its id."""
    part: str
    """Its name."""
    first: Share
    """The share of a bound that was used."""
    second: Share
    """The share that is used now."""


class Comparison(Closed):
    """What changed from the first report to the second."""

    format: Literal[1]
    """The version of this form."""
    factor: Annotated[float, Field(ge=1.0)]
    """A share is told where it grew to more than so many times what it was."""
    differences: tuple[Difference, ...]
    """Of the runs themselves, which may be why verdicts differ."""
    worse: tuple[Change, ...]
    """What newly fails or errors, in cases of both and in cases that the first lacks."""
    better: tuple[Change, ...]
    """What failed or errored and passes now."""
    other: tuple[Change, ...]
    """Every other change of a verdict."""
    grown: tuple[Growth, ...]
    """Shares of bounds, the largest first."""
    only_first: dict[str, VerdictName]
    """The verdicts of cases that the second lacks, by their ids."""
    only_second: dict[str, VerdictName]
    """The verdicts of cases that the first lacks, by their ids."""
    in_both: Count
    """How many cases both have."""
    bad_in_both: Count
    """How many of those fail or error in both."""
