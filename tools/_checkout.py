"""A tool works on the checkout that it stands in, and on no other."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import TracebackType
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""


def require_checkout() -> Path:
    """Return the checkout; leave with status 2 where `attnspec` would be imported from elsewhere.

    What a tool writes must be what the sources beside it say, not what some installed copy says.
    """
    spec = importlib.util.find_spec("attnspec")
    if spec is None or spec.origin is None:
        refuse('attnspec is not installed; run: pip install -e ".[test]"')
    found = Path(spec.origin).resolve().parent
    if found != ROOT / "src" / "attnspec":
        refuse(f'attnspec would come from {found}, not from this checkout; run: pip install -e ".[test]"')
    return ROOT


def _briefly(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _briefly  # a tool is interrupted in one line, also while it still imports


def refuse(message: str) -> NoReturn:
    """Say in one line, on standard error, what is wrong; leave with status 2."""
    print(f"{Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    raise SystemExit(2)
