"""A corpus of any number of small fixtures with their goldens, to try and to time what reads one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count as numbers
from pathlib import Path

from _checkout import ROOT, refuse, require_checkout

require_checkout()

from attnspec.corpus.goldens import write_golden  # noqa: E402  (only from the checkout)
from attnspec.corpus.regeneration import standing  # noqa: E402
from attnspec.corpus.store import Corpus  # noqa: E402
from attnspec.targets.reference import Reference  # noqa: E402


def make_corpus(folder: Path, count: int) -> Corpus:
    """Write fixtures of several operations into a folder, each with other numbers, and their goldens.

    Args:
        folder: is made where it is not there.
        count: how many fixtures; one in eight is a refusal and has no golden.
    """
    corpus = Corpus(folder, ROOT / "spec")
    truth = Reference().answer
    for number in range(count):
        place, text = _fixture(number)
        path = folder / f"{place}_{number:05}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        fixture = corpus.read_path(path)
        if fixture.rejects is None:
            found = standing(fixture, truth, corpus.read)
            assert found.golden is not None, found.remarks
            write_golden(found.path, found.golden)
    return corpus


def _fixture(number: int) -> tuple[str, str]:
    """Return where a fixture stands, but for its number, and its text."""
    draws = _quarters(number)
    operation, place, inputs, more = _KINDS[number % len(_KINDS)]
    lines = [
        f"about: Small numbers for {operation}, made to have one case more.",
        f"operation: {operation}",
        "profile: core",
        f"clauses: [{operation}.1, {operation}.2]",
        "source: the oracle",
        "inputs:",
        *(f"  {name}: {_tensor(shape, draws)}" for name, shape in inputs.items()),
        *more,
    ]
    return place, "\n".join(lines) + "\n"


def _quarters(seed: int) -> Iterator[float]:
    """Yield numbers from -4 to 4 in steps of a quarter, others for each seed."""
    return (((seed + 1) * 37 + index * (seed + 11)) % 33 / 4 - 4 for index in numbers())


def _tensor(shape: tuple[int, ...], draws: Iterator[float]) -> str:
    if not shape:
        return f"{next(draws):g}"
    return f"[{', '.join(_tensor(shape[1:], draws) for _ in range(shape[0]))}]"


_ROWS: dict[str, tuple[int, ...]] = {"query": (1, 3, 2), "key": (1, 3, 2), "value": (1, 3, 2)}
_UPSTREAM = ["upstream:", "  output: [[[1, -0.5], [0.25, 2], [-1, 0.75]]]"]
_KINDS: list[tuple[str, str, dict[str, tuple[int, ...]], list[str]]] = [
    (
        "causal_attention",
        "causal_attention/case",
        _ROWS,
        [*_UPSTREAM, "laws:", "  - prefix_extension: {of: [output, probabilities], lengths: all}"],
    ),
    ("attention", "attention/case", _ROWS, _UPSTREAM),
    (
        "causal_softmax",
        "causal_softmax/case",
        {"scores": (1, 4, 4)},
        ["laws:", "  - row_sums: {of: probabilities, within: 1.0e-12}"],
    ),
    (
        "matrix_product",
        "matrix_product/case",
        {"left": (2, 3), "right": (3, 2)},
        ["upstream:", "  product: [[1, 0.5], [-2, 1]]"],
    ),
    ("exponential", "exponential/case", {"x": (6,)}, []),
    ("linear_projection", "linear_projection/case", {"input": (1, 3, 2), "weight": (2, 4)}, []),
    ("scaled_scores", "scaled_scores/case", {"query": (1, 3, 2), "key": (1, 3, 2)}, []),
    (
        "causal_attention",
        "causal_attention/rejected/token_mismatch",
        _ROWS | {"query": (1, 2, 2)},
        ["rejects:", "  error: token_mismatch", "  details: {query: 2, key: 3, value: 3}"],
    ),
]
"""The operation, where its cases stand, the shapes of its inputs, and what follows them."""


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[2].isdecimal():
        refuse("FOLDER COUNT is expected")
    make_corpus(Path(sys.argv[1]), int(sys.argv[2]))
