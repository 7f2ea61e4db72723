"""TensorFlow, imported without the lines that it writes to standard error before anything can be set (conformance)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _silence() -> Iterator[None]:
    """Send standard error nowhere, also what is written below Python; an exception still tells what went wrong."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
with _silence():
    import tensorflow as tf

__all__ = ["tf"]
