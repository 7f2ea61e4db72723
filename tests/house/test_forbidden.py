"""The reference computes with nothing that leaves a choice to the machine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from house.sources import PACKAGE, holds, modules

REFERENCE = ["numeric", "autodiff", "attention", "targets/reference.py"]

EXACT = {"copysign", "frexp", "inf", "isfinite", "isinf", "isnan", "ldexp", "nan", "nextafter", "sqrt", "trunc", "ulp"}
ON_INTEGERS = {"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "prod"}
"""What `math` may lend; all else there is rounded as the C library likes, or in an order of its own."""

TRANSCENDENTAL = {"cbrt", "cos", "exp", "exp2", "expm1", "hypot", "log", "log10", "log1p", "log2", "logaddexp", "tanh"}
POWERS = {"float_power", "pow", "power"}
PRODUCTS = {"convolve", "correlate", "cross", "einsum", "inner", "matmul", "matvec", "tensordot", "vdot", "vecdot"}
FOLDERS = {"fft", "linalg", "random"}
SUMS = {"average", "cumprod", "cumsum", "dot", "mean", "nanmean", "nansum", "std", "sum", "trace", "trapezoid", "var"}
"""What NumPy must not lend; the last as methods, too."""

REDUCTIONS = {"accumulate", "reduce", "reduceat"}
UNORDERED = {"bitwise_and", "bitwise_or", "logical_and", "logical_or", "maximum", "minimum"}  # any order gives the same


@pytest.mark.clause("arithmetic.5", "arithmetic.6")
@pytest.mark.parametrize("part", REFERENCE)
def test_the_reference_uses_only_what_is_rounded_once(part: str) -> None:
    holds(faults(PACKAGE / part))


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import numpy as np\ny = np.exp(x)", "numpy.exp"),
        ("import numpy\ny = numpy.dot(a, b)", "numpy.dot"),
        ("import numpy as n\ny = n.matmul(a, b)", "numpy.matmul"),
        ("from numpy import einsum as product\ny = product('ij,jk', a, b)", "numpy.einsum"),
        ("import numpy as np\ny = np.sum(a)", "numpy.sum"),
        ("import numpy as np\nrun = np.exp", "numpy.exp"),
        ("import numpy as np\ny = np.random.default_rng()", "numpy.random"),
        ("import numpy as np\ny = np.linalg.norm(a)", "numpy.linalg"),
        ("import numpy.random as r\ny = r.random()", "numpy.random"),
        ("from numpy.linalg import norm", "numpy.linalg"),
        ("import numpy as np\ny = np.add.reduce(a)", "numpy.add.reduce"),
        ("y = a @ b", "@"),
        ("a @= b", "@"),
        ("y = x**3", "**"),
        ("y = 2.0 ** -x", "**"),
        ("x **= 2", "**"),
        ("y = pow(x, 3)", "pow"),
        ("y = a.sum()", ".sum"),
        ("y = (a * b).dot(c)", ".dot"),
        ("y = sum(a)", "sum"),
        ("def f():\n    return max(sum(a), 1)", "sum"),
        ("import functools\ny = functools.reduce(f, map(sum, a))", "sum"),
        ("import math\ny = math.exp(x)", "math.exp"),
        ("import math as m\ny = m.fsum(a)", "math.fsum"),
        ("from math import exp\ny = exp(x)", "math.exp"),
        ("from math import fma", "math.fma"),
        ("import random", "random"),
        ("import cmath", "cmath"),
    ],
)
def test_a_planted_function_is_caught(tmp_path: Path, source: str, fault: str) -> None:
    (tmp_path / "module.py").write_text(source, encoding="utf-8")
    assert {line.split(": ")[1] for line in faults(tmp_path)} == {fault}


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\ny = np.sqrt(np.maximum.reduce(a))\nz = a.max()",
        "HALF_ULP = 2.0**-53\nSTATES = 2**64",
        "import math\ny = 1.0 / math.sqrt(d)",
        "from attnspec.numeric.exponential import exponential\ny = exponential(x)",
        "'''np.exp is not correctly rounded; a @ b is not ordered.'''\ny = x.exp()",
    ],
)
def test_what_is_rounded_once_passes(tmp_path: Path, source: str) -> None:
    (tmp_path / "module.py").write_text(source, encoding="utf-8")
    assert faults(tmp_path) == []


def faults(part: Path) -> list[str]:
    """Every use of a function that is not fixed by IEEE 754 or by us: `file:line: name`."""
    return [f"{path}:{line}: {name}" for path, tree in modules(part) for line, name in _uses(tree)]


def _uses(tree: ast.Module) -> Iterator[tuple[int, str]]:
    names = dict(_imported(tree))
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=ast.MatMult()) | ast.AugAssign(op=ast.MatMult()):
                yield node.lineno, "@"
            case ast.BinOp(op=ast.Pow()) if not (_constant(node.left) and _constant(node.right)):
                yield node.lineno, "**"
            case ast.AugAssign(op=ast.Pow()):
                yield node.lineno, "**"
            case ast.Import():
                yield from ((node.lineno, name) for alias in node.names if (name := _forbidden(alias.name)))
            case ast.ImportFrom():
                found = (_forbidden(f"{node.module}.{alias.name}") for alias in node.names)
                yield from ((node.lineno, name) for name in found if name)
            case ast.Name(ctx=ast.Load()) if node.id in {"sum", "pow"} - names.keys():
                yield node.lineno, node.id
            case ast.Attribute():
                dotted = _dotted(node, names)
                if name := _forbidden(dotted):
                    yield node.lineno, name
                elif node.attr in SUMS and dotted.split(".")[0] not in {"numpy", "math"}:
                    yield node.lineno, f".{node.attr}"


def _constant(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(name in the file, what it is in full) for every import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                yield alias.asname or top, alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _dotted(node: ast.expr, names: dict[str, str]) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value, names)}.{node.attr}"
    return names.get(node.id, node.id) if isinstance(node, ast.Name) else "?"


def _forbidden(dotted: str) -> str | None:
    """The forbidden thing that a full name stands for, or None."""
    match dotted.split("."):
        case ["cmath" | "random", *_]:
            return dotted
        case ["math", name] if name not in EXACT | ON_INTEGERS:
            return dotted
        case ["numpy", name, *_] if name in TRANSCENDENTAL | POWERS | PRODUCTS | FOLDERS | SUMS:
            return f"numpy.{name}"
        case ["numpy", name, method] if method in REDUCTIONS and name not in UNORDERED:
            return dotted
    return None
