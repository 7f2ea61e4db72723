"""Which cases the requirements, or another case, cannot do without."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cached_property
from typing import Any

import yaml

from attnspec.corpus.fixture import SameAs
from kills import ROOT, fixtures
from requirement_checks import entry_faults, kind_faults


class Needs:
    """Asks requirements.yaml what would be missing if a case were not there."""

    @cached_property
    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = yaml.safe_load((ROOT / "tests" / "requirements.yaml").read_text(encoding="utf-8"))
        return document

    def of(self, case: str) -> list[str]:
        """Return the rows, phrases, kinds and laws that a case alone holds."""
        return [*self._rows(case), *self._phrases(case), *self._kinds(case), *_laws(case)]

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
