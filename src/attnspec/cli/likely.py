"""What `attnspec check` prints of the bugs that a run has in common with the broken twins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from attnspec.cli.common import counted

if TYPE_CHECKING:
    from attnspec.conformance.likely_bugs import LikelyBug

_SHOWN_TWINS = 3


def print_likely_bugs(console: Console, bugs: Sequence[LikelyBug]) -> None:
    """Print each bug in the words of its twins, and on what the guess rests."""
    for bug in bugs:
        shown = bug.twins[:_SHOWN_TWINS]
        console.print(f"[bold]likely bug[/] in {', '.join(bug.operations)}: {escape(shown[0].bug)}")
        for twin in shown[1:]:
            console.print(f"  or: {escape(twin.bug)}")
        console.print(f"  {counted(bug.cases, 'case')} failed, in the same places as with {_named(bug)}\n")


def _named(bug: LikelyBug) -> str:
    names = [twin.name for twin in bug.twins[:_SHOWN_TWINS]]
    more = len(bug.twins) - len(names)
    if len(bug.twins) == 1:
        return f"the broken twin {names[0]}"
    beyond = f" and {more} more" if more else ""
    return f"the broken twins {', '.join(names)}{beyond}, which these cases do not tell apart"
