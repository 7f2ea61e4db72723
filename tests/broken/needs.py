"""Which cases nothing needs: not the kill table, not the requirements, not another case."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cached_property
from typing import Any

import numpy as np
import yaml
from kill_table import KillTable
from kills import ROOT, fixtures

from attnspec.corpus.fixture import Fixture, SameAs
from requirement_checks import entry_faults, kind_faults


def redundant_cases(table: KillTable) -> tuple[list[str], int]:
    """Return the accepted cases that could go without a loss, and how many accepted cases there are."""
    accepted = [fixture.id for fixture in fixtures() if fixture.rejects is None]
    needs = Needs()
    return [case for case in accepted if not table.lost_without(case) and not needs.of(case)], len(accepted)


class Needs:
    """Asks requirements.yaml what would be missing if a case were not there."""

    @cached_property
    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = yaml.safe_load((ROOT / "tests" / "requirements.yaml").read_text(encoding="utf-8"))
        return document

    def of(self, case: str) -> list[str]:
        """Return the rows, phrases, kinds, laws and clauses that nothing but this case holds up."""
        held = [*self._rows(case), *self._phrases(case), *self._kinds(case)]
        return [*held, *_laws(case), *_worked_by_hand(case), *_required_outputs_alone(case)]

    def _rows(self, case: str) -> Iterator[str]:
        for row, entry in self._document["rows"].items():
            if any(case in claim.get("cases", ()) for claim in entry["claims"]):
                reduced = deepcopy(entry)
                for claim in reduced["claims"]:
                    if "cases" in claim:
                        claim["cases"] = [name for name in claim["cases"] if name != case]
                if list(entry_faults(row, reduced)):
                    yield row

    def _phrases(self, case: str) -> Iterator[str]:
        operation, _, name = case.partition("/")
        for phrase, operations in self._document["phrases"].items():
            for way, names in operations.get(operation, {}).items():
                if names == [name]:
                    yield f"{phrase}: {operation} {way}"

    def _kinds(self, case: str) -> Iterator[str]:
        for kind, entry in self._document["kinds"].items():
            if case in entry["cases"]:
                reduced = entry | {"cases": [name for name in entry["cases"] if name != case]}
                if not reduced["cases"] or kind_faults(self._document["kinds"] | {kind: reduced}):
                    yield kind


def _laws(case: str) -> Iterator[str]:
    for fixture in fixtures():
        if any(isinstance(law, SameAs) and law.case == case for law in fixture.laws):
            yield f"the law same_as of {fixture.id}"


def _worked_by_hand(case: str) -> Iterator[str]:
    """Clauses that no other case shows with values worked by hand, or published."""
    known = [one for one in fixtures() if not one.source.startswith("oracle")]
    others = {clause for one in known if one.id != case for clause in one.clauses}
    mine = {clause for one in known if one.id == case for clause in one.clauses}
    yield from (f"{clause} by hand" for clause in sorted(mine - others))


def _required_outputs_alone(case: str) -> Iterator[str]:
    """Cases with an upstream of an intermediate, whose operands only this case offers without one."""
    here = next(one for one in fixtures() if one.id == case)
    if here.request.upstream and _is_plain(here):
        alike = [one for one in fixtures() if one.request.upstream and _operands(one) == _operands(here)]
        if not any(one is not here and _is_plain(one) for one in alike):
            yield from (f"{one.id} without intermediates" for one in alike if not _is_plain(one))


def _is_plain(fixture: Fixture) -> bool:
    return fixture.request.upstream.keys() <= set(fixture.operation.required)


def _operands(fixture: Fixture) -> tuple[Any, ...]:
    values = fixture.request.inputs.values()
    return fixture.operation.name, [(np.shape(value), np.asarray(value).tobytes()) for value in values]
