"""How each golden stands against what is computed now: current, missing, stale, changed, orphaned (fixture_format)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from attnspec.corpus.expectations import answer_values, compare_expectations
from attnspec.corpus.fixture import Fixture, law_parts
from attnspec.corpus.goldens import (
    SUFFIX,
    Golden,
    GoldenError,
    compare_forms,
    golden_path,
    make_golden,
    read_golden,
    render,
)
from attnspec.corpus.laws import Perturbation
from attnspec.corpus.plans import Lookup, named, plan
from attnspec.corpus.recomputing import in_elements, plain_values
from attnspec.corpus.request import Answered, Reply, Request, Value
from attnspec.corpus.store import Corpus

Truth = Callable[[Request], Reply]


class State(StrEnum):
    """What a golden is worth."""

    CURRENT = "current"
    MISSING = "missing"
    STALE = "stale"
    CHANGED = "changed"
    WRONG = "wrong"
    ORPHANED = "orphaned"


@dataclass(frozen=True)
class Standing:
    """One golden: its state, what differs, and what it would be now (None where nothing may be written)."""

    path: Path
    state: State
    remarks: tuple[str, ...] = ()
    golden: Golden | None = None


def standing(fixture: Fixture, truth: Truth, lookup: Lookup, plain: Truth | None = None) -> Standing:
    """Compute a fixture's golden anew and compare it with the file.

    A fixture whose hand-written expectations are not met, or that is refused, is `wrong`: no golden may be
    written for it. `plain` is asked where a golden has digests alone, which know no element.
    """
    path = golden_path(fixture.path)
    answer = truth(fixture.request)
    if not isinstance(answer, Answered):
        return Standing(path, State.WRONG, (f"{fixture.id} is not answered: {answer}",))
    unmet = compare_expectations(fixture, answer)
    if unmet:
        return Standing(path, State.WRONG, tuple(map(str, unmet)))
    golden = make_golden(fixture.id, fixture.request, answer, dict(_law_outputs(fixture, truth, lookup)))
    if not path.exists():
        return Standing(path, State.MISSING, golden=golden)
    try:
        found = read_golden(path)
    except GoldenError as error:
        return Standing(path, State.CHANGED, (str(error),), golden)
    if found.case != golden.case:
        return Standing(path, State.CHANGED, (f"it says it is the golden of {found.case!r}",), golden)
    if found.inputs_sha256 != golden.inputs_sha256:
        remarks = ("made from other inputs", *map(str, compare_forms(found.flat(), golden.flat())))
        return Standing(path, State.STALE, remarks, golden)
    if path.read_bytes() == render(golden):
        return Standing(path, State.CURRENT, golden=golden)
    differences = compare_forms(found.flat(), golden.flat())
    if plain is not None:
        again = partial(plain_values, fixture, plain)
        differences = in_elements(differences, found.flat(), answer_values(fixture, answer), again)
    return Standing(path, State.CHANGED, tuple(map(str, differences)) or ("same values, written otherwise",), golden)


def orphans(corpus: Corpus) -> Iterator[Standing]:
    """Yield goldens whose fixture is gone, or is a rejected case, which has none."""
    for path in sorted(corpus.root.rglob(f"*{SUFFIX}")):
        fixture = path.with_name(path.name.removesuffix(SUFFIX) + ".yaml")
        if not fixture.exists() or fixture.parent.name == "rejected":
            yield Standing(path, State.ORPHANED, ("no accepted fixture stands beside it",))


def _law_outputs(fixture: Fixture, truth: Truth, lookup: Lookup) -> Iterator[tuple[str, dict[str, Value]]]:
    for part, law in law_parts(fixture):
        if isinstance(law, Perturbation):
            answer = truth(plan(law, fixture, lookup).runs[0])
            assert isinstance(answer, Answered), f"{fixture.id}: {part} is not answered: {answer}"
            yield part, {name: answer.outputs[name] for name in named(law) if name in answer.outputs}
