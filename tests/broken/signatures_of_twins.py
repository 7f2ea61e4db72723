"""The signatures that are shipped, from what the twins fail."""

from __future__ import annotations

from collections.abc import Mapping

from kills import CORRECT, Kill, Twin, failed_by_the_correct, fixtures, is_small

from attnspec.conformance.signatures import Signature, Signatures

LEFT_TO_THE_MACHINE = "float32"
"""A kind of bug: how a function rounds in single precision, and so what fails, differs from machine to machine."""


def signatures(twins: tuple[Twin, ...], kills: Mapping[str, tuple[Kill, ...]]) -> Signatures:
    """Return what tells the twins apart; a case that a correct implementation fails tells nothing."""
    told = [twin for twin in twins if twin.kind != LEFT_TO_THE_MACHINE]
    unsure = frozenset[str]().union(*map(failed_by_the_correct, CORRECT))
    asked = {fixture.id: fixture.operation.name for fixture in fixtures() if is_small(fixture)}
    assert all(case.startswith(f"{operation}/") for case, operation in asked.items())
    return Signatures(
        frozenset(asked) - unsure,
        tuple(_signature(twin, [kill for kill in kills[twin.name] if kill.case not in unsure]) for twin in told),
    )


def _signature(twin: Twin, kills: list[Kill]) -> Signature:
    fails = {kill.case: kill.marks for kill in kills}
    return Signature(twin.name, " ".join(twin.bug.split()), twin.kind, twin.level, twin.profiles, fails)
