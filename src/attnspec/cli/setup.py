"""Who is asked in a run, who judges, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnspec.conformance.judges import Judge
from attnspec.conformance.target import Target

if TYPE_CHECKING:
    from attnspec.conformance.process_target import ProcessTarget


@dataclass(frozen=True)
class Setup:
    """A run that is about to start.

    Args:
        target: who is asked, adapted to its type and layout.
        judge: who compares.
        level: `bits` or `bound`.
        dtype: the type that is asked for.
        profiles: what is asked.
        process: the target's process, to be closed at the end.
    """

    target: Target
    judge: Judge
    level: str
    dtype: str
    profiles: tuple[str, ...]
    process: ProcessTarget | None = None

    @property
    def said(self) -> str:
        """The level and type, with what the target declared in its own favour."""
        declared = self.target.declaration
        words = [self.level] if self.dtype == "float64" else [self.level, self.dtype]
        if self.level == "bound" and declared.exp_ulps != 2.0:
            words.append(f"its exponential within {declared.exp_ulps:g} ulps as it declares")
        if self.dtype != "float64" and declared.accumulates:
            words.append(f"computed in {declared.accumulates} as it declares")
        return ", ".join(words)

    def close(self) -> None:
        """End the target's process."""
        if self.process is not None:
            self.process.close()
