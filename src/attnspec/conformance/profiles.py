"""Profiles: which cases are asked of whom, and what each would show (conformance)."""

from __future__ import annotations

from collections.abc import Collection

PROFILES = {
    "core": "accepted finite cases up to 130 tokens, and faults that no extension can give a meaning",
    "isolation": "whether a NaN in a blocked key or value stays out of the rows that may not see it",
    "strict": "every other refusal, and which of two faults wins",
    "finite": "non-finite inputs, overflowing results, released operands, the mask's memory limit",
    "init": "the generator, Xavier's weights, parameter names, building and initialising a layer",
    "large": "cases of more than 130 tokens",
}
REFERENCE_DEFAULT = tuple(name for name in PROFILES if name != "large")
TARGET_DEFAULT = ("core",)


def choose_profiles(asked: Collection[str], is_reference: bool) -> tuple[str, ...]:
    """Return the profiles to run, in the order of the table."""
    if "all" in asked:
        return tuple(PROFILES)
    wanted = asked or (REFERENCE_DEFAULT if is_reference else TARGET_DEFAULT)
    return tuple(name for name in PROFILES if name in wanted)
