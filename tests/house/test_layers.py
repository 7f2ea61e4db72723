"""Who may import whom (README shows the table): the judge does not know the reference."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from house.sources import PACKAGE, ROOT, holds, modules

LAYERS: dict[str, set[str]] = {
    "errors": set(),
    "numeric": {"errors"},
    "autodiff": {"errors", "numeric"},
    "attention": {"errors", "numeric", "autodiff"},
    "corpus": {"errors", "numeric"},
    "conformance": {"errors", "numeric", "corpus"},
    "targets": {"errors", "numeric", "autodiff", "attention", "corpus", "conformance"},
    "cli": {"errors", "numeric", "corpus", "conformance", "targets"},
}
"""A layer is a module or a folder of the package. Each may import itself, too."""


def test_every_import_goes_where_the_table_lets_it() -> None:
    holds(faults(PACKAGE))


def test_the_errors_need_nothing_but_the_standard_library() -> None:
    ((_, tree),) = modules(PACKAGE / "errors.py")
    assert {name.split(".")[0] for _, name in imports(tree, ["attnspec"])} <= sys.stdlib_module_names


def test_readme_shows_the_same_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    shown = {layer: set(re.findall(r"`(\w+)`", allowed)) for layer, allowed in rows}
    assert {layer: shown.get(layer) for layer in LAYERS} == LAYERS


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("numeric/tensor.py", "from attnspec.autodiff.tape import Tape", "numeric imports autodiff"),
        ("numeric/tensor.py", "import attnspec.corpus.reader as reader", "numeric imports corpus"),
        ("numeric/tensor.py", "from ..attention import head", "numeric imports attention"),
        ("numeric/tensor.py", "from .. import attention", "numeric imports attention"),
        ("numeric/__init__.py", "from ..corpus import request", "numeric imports corpus"),
        ("errors.py", "from . import numeric", "errors imports numeric"),
        ("corpus/laws.py", "def run():\n    from attnspec.attention.head import head", "corpus imports attention"),
        ("corpus/laws.py", "if TYPE_CHECKING:\n    from attnspec.autodiff import tape", "corpus imports autodiff"),
        ("corpus/laws.py", "import_module('attnspec.attention.head')", "corpus imports attention"),
        ("corpus/laws.py", "importlib.import_module('attnspec.targets')", "corpus imports targets"),
        ("conformance/runner.py", "from attnspec.targets import reference", "conformance imports targets"),
        ("conformance/deep/er.py", "from ...targets import reference", "conformance imports targets"),
        ("cli/check.py", "from attnspec import attention", "cli imports attention"),
        ("cli/check.py", "from attnspec import __version__, autodiff", "cli imports autodiff"),
        ("__init__.py", "from attnspec.errors import ERRORS", "__init__ imports errors"),
        ("helpers.py", "import os", "helpers is no layer"),
        ("corpus/laws.py", "from attnspec import *", "corpus imports *"),
    ],
)
def test_a_planted_import_is_caught(tmp_path: Path, module: str, source: str, fault: str) -> None:
    assert [line.split(": ")[1] for line in faults(planted(tmp_path, module, source))] == [fault]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("attention/head.py", "import numpy as np\nfrom attnspec.autodiff.tape import Tape\nfrom . import mask"),
        ("targets/reference.py", "from attnspec.attention.head import head\nfrom ..corpus.request import Request"),
        ("cli/check.py", "from attnspec import __version__, targets"),
        ("__main__.py", "from attnspec.cli import main"),
        ("corpus/laws.py", "'''It does not import attnspec.attention.'''"),
    ],
)
def test_an_import_that_the_table_allows_passes(tmp_path: Path, module: str, source: str) -> None:
    assert faults(planted(tmp_path, module, source)) == []


def planted(folder: Path, module: str, source: str) -> Path:
    path = folder / "attnspec" / module
    path.parent.mkdir(parents=True)
    path.write_text(source, encoding="utf-8")
    return folder / "attnspec"


def faults(package: Path) -> list[str]:
    """Every import that the table does not let through: `file:line: layer imports layer`."""
    allowed = {"__init__": set(), "__main__": {"cli"}} | {layer: others | {layer} for layer, others in LAYERS.items()}
    found = []
    for path, tree in modules(package):
        *folders, _ = parts = path.relative_to(package).with_suffix("").parts
        if parts[0] not in allowed:
            found.append(f"{path}:1: {parts[0]} is no layer")
            continue
        for line, name in imports(tree, ["attnspec", *folders]):
            root, layer, *_ = [*name.split("."), "__init__"]
            if root == "attnspec" and not layer.startswith("__") and layer not in allowed[parts[0]]:
                found.append(f"{path}:{line}: {parts[0]} imports {layer}")
    return found


def imports(tree: ast.Module, package: list[str]) -> Iterator[tuple[int, str]]:
    """Every module or name that is imported anywhere in the file, in full, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from ((node.lineno, alias.name) for alias in node.names)
            case ast.ImportFrom():
                above = package[: len(package) + 1 - node.level] if node.level else []
                base = [*above, *filter(None, [node.module])]
                yield from ((node.lineno, ".".join([*base, alias.name])) for alias in node.names)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name
