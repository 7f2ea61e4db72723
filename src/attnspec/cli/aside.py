"""What is printed in a process of ours goes to standard error, where standard output is for a report alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress


def print_aside() -> None:
    """Let all that writes to standard output, in any language, write to standard error from now on."""
    if sys.stderr is None:  # closed by the caller; by now 2 may be the number of any file
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    else:
        os.dup2(2, 1)


@contextmanager
def printing_aside() -> Iterator[None]:
    """Do so for a while."""
    output, kept = sys.stdout, os.dup(1)
    try:
        print_aside()
        with redirect_stdout(sys.stderr or output):
            yield
    finally:
        _flush()
        with suppress(OSError, ValueError):
            output.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _flush() -> None:
    """Let go what the C library still holds."""
    with suppress(ImportError, OSError, TypeError, AttributeError):  # no library goes by no name on Windows
        import ctypes

        ctypes.CDLL(None).fflush(None)
