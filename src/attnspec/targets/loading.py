"""From what a user writes on the command line to a target."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from attnspec.conformance.target import Declaration, Target, TargetFault
from attnspec.targets.built_in import BUILT_IN, unavailable
from attnspec.targets.python_target import PythonTarget


def load_any(text: str) -> Target:
    """Return the reference under its name, a built-in target under its own, else what `load_target` finds.

    Raises:
        TargetFault: it cannot be found, needs what is not installed, or does not import.
    """
    why_not = unavailable(text)
    if why_not:
        raise TargetFault(why_not)
    if text == "reference":
        from attnspec.targets.reference import Reference

        return Reference()
    return load_target(BUILT_IN[text].place if text in BUILT_IN else text)


def load_target(text: str) -> Target:
    """Return the target that a command line names: functions by operation, or a `TARGET` that answers requests itself.

    Args:
        text: `path/to/file.py`, or `module:attribute` (the attribute may be left out).

    Raises:
        TargetFault: it cannot be found, or does not import.
    """
    try:
        if text.endswith(".py"):
            return _target_of(_import_file(Path(text)), Path(text).stem)
        module, _, attribute = text.partition(":")
        if os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())  # last: a file there must not stand in for a module that we import
        subject: Any = importlib.import_module(module)
        for step in attribute.split(".") if attribute else ():
            subject = getattr(subject, step)
        return _target_of(subject, text)
    except TargetFault:
        raise
    except (Exception, SystemExit) as error:
        raise TargetFault(f"{text}: cannot be loaded: {type(error).__name__}: {error}") from error


def _target_of(subject: Any, name: str) -> Target:
    ready = getattr(subject, "TARGET", None)
    if ready is None:
        return PythonTarget(subject, name)
    if not isinstance(getattr(ready, "declaration", None), Declaration) or not callable(getattr(ready, "answer", None)):
        raise TargetFault(f"{name}: TARGET has no declaration or no answer(request); see spec/conformance.md")
    return cast(Target, ready)


def _import_file(path: Path) -> ModuleType:
    """Import a file under a name of its own; its folder is importable while it runs, as for a script."""
    if not path.is_file():
        raise TargetFault(f"{path}: no such file; a target is FILE.py or module:attribute")
    spec = importlib.util.spec_from_file_location(f"_attnspec_target_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with _first_on_path(path.resolve().parent):
        spec.loader.exec_module(module)
    return module


@contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
