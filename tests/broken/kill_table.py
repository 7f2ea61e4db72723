"""Clause by clause: which twins break it, and which cases catch them at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from kills import CORPUS, Kill, Twin, all_kills, fixtures, twins

from attnspec.corpus.vocabulary import OPERATIONS

Guards = Mapping[str, Mapping[str, tuple[str, ...]]]
"""For each clause the twins that break it and the cases that cite it and catch them."""


@dataclass(frozen=True)
class KillTable:
    """What became of every twin.

    Args:
        twins: the wrong implementations.
        kills: the cases that each of them fails, by its name.
        owed: the clauses that bind an operation; definitions and withdrawn ones bind nobody.
    """

    twins: tuple[Twin, ...]
    kills: Mapping[str, tuple[Kill, ...]]
    owed: tuple[str, ...]

    @cached_property
    def guards(self) -> Guards:
        return {clause: self._guards_of(clause) for clause in self.owed}

    @property
    def unguarded(self) -> list[str]:
        return [clause for clause, guards in self.guards.items() if not guards]

    @property
    def survivors(self) -> list[str]:
        """Twins that pass in a profile where they say that they are caught, and the profile."""
        return [
            f"{twin.name} ({profile})" for twin in self.twins for profile in twin.profiles if self.passes(twin, profile)
        ]

    def passes(self, twin: Twin, profile: str) -> bool:
        """Say whether no case of the profile that cites a broken clause fails."""
        return not any(kill.profile == profile and twin_is_named(twin, kill) for kill in self.kills[twin.name])

    def share(self, twin: Twin) -> float:
        """The share of a twin's failing cases that cite a clause which it breaks."""
        failing = self.kills[twin.name]
        return sum(twin_is_named(twin, kill) for kill in failing) / max(len(failing), 1)

    def share_of(self, name: str) -> float:
        return self.share(next(twin for twin in self.twins if twin.name == name))

    def unproven(self, twin: Twin) -> list[str]:
        """The clauses that a twin says it breaks, though no failing case cites them."""
        cited = {clause for kill in self.kills[twin.name] for clause in kill.clauses}
        return [clause for clause in twin.breaks if clause in self.guards and clause not in cited]

    def lost_without(self, case: str) -> list[str]:
        """What nothing but this case shows: twins that it alone catches, and clauses at which it alone catches one."""
        alone = [twin.name for twin in self.twins if {kill.case for kill in self.kills[twin.name]} == {case}]
        places = [
            f"{clause} against {name}"
            for clause, guards in self.guards.items()
            for name, cases in guards.items()
            if cases == (case,)
        ]
        return alone + places

    def _guards_of(self, clause: str) -> dict[str, tuple[str, ...]]:
        found = {
            twin.name: tuple(kill.case for kill in self.kills[twin.name] if clause in kill.clauses)
            for twin in self.twins
            if clause in twin.breaks
        }
        return {name: cases for name, cases in found.items() if cases}


def kill_table(jobs: int = 2) -> KillTable:
    """Run every twin and return what became of it."""
    return KillTable(twins(), all_kills(jobs), binding_clauses())


def binding_clauses() -> tuple[str, ...]:
    clauses = CORPUS.clauses().values()
    return tuple(one.id for one in clauses if one.kind == "normative" and one.id.split(".")[0] in OPERATIONS)


def twin_is_named(twin: Twin, kill: Kill) -> bool:
    return not set(twin.breaks).isdisjoint(kill.clauses)


def figures(table: KillTable) -> dict[str, int]:
    """Return the numbers of the README's table, under their headings."""
    return {
        "clauses of operations": len(table.owed),
        "guarded": len(table.owed) - len(table.unguarded),
        "cases": len(fixtures()),
        "rejected cases": sum(fixture.rejects is not None for fixture in fixtures()),
        "broken twins": len(table.twins),
        "caught": len(table.twins) - len({survivor.split(" ")[0] for survivor in table.survivors}),
    }
