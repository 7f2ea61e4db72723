"""`attnspec init-target`: write a Python target that runs, to put an implementation of one's own into."""

from __future__ import annotations

import argparse
import shlex
from importlib.resources import files
from pathlib import Path

from attnspec.cli.common import UsageFault


def run(options: argparse.Namespace) -> int:
    """Write the template to the file that was named, unless there is one, and say what to do with it."""
    path = Path(options.path)
    if path.suffix != ".py":
        raise UsageFault(f"{path}: a target in Python is a file that ends in .py")
    text = files("attnspec.targets").joinpath("template.py").read_text(encoding="utf-8")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageFault(f"{path}: exists already; init-target writes a new file") from None
    except OSError as error:
        raise UsageFault(f"{path}: cannot be written: {error.strerror}") from None
    print(f"wrote {path}; now run: attnspec check {shlex.quote(str(path))}")
    return 0
