"""Reading fixtures: the strict reader and whole fixtures, against the events of PyYAML's C parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import yaml

from _benchmark_rows import Disagreement, Found, Missing, Section, compared
from _benchmark_timing import Bench, Here
from _checkout import ROOT
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.nodes import ListNode, MappingNode, Node
from attnspec.corpus.store import Corpus
from attnspec.corpus.yaml_reader import read_tree

NAME = "reading"
TREE, WHOLE, EVENTS = "the strict reader", "whole fixtures", "PyYAML's C events"


@dataclass(frozen=True)
class Sizes:
    """How many files of the corpus; None for all."""

    files: int | None = None


def measure(sizes: Sizes, bench: Bench) -> Found:
    """Yield the times for one file."""
    if not yaml.__with_libyaml__:
        yield Missing(NAME, EVENTS, "PyYAML was built without libyaml here")
        return
    corpus = Corpus(ROOT / "fixtures", ROOT / "spec")
    paths = list(islice(corpus.paths(), sizes.files))
    data = [path.read_bytes() for path in paths]

    def whole() -> list[Fixture]:
        return [corpus.read_path(path) for path in paths]

    bench.say(f"{NAME}: {len(paths)} files")
    must_agree(paths, data)
    count = len(paths)
    sides = [
        Here(EVENTS, lambda: [scalars(one) for one in data], count),
        Here(TREE, lambda: trees(paths, data), count),
        Here(WHOLE, whole, count),
    ]
    samples = bench.compare(sides)
    for side in (TREE, WHOLE):
        yield compared(samples, (NAME, f"{side}, one of {count} files"), (side, EVENTS), "ms")


def trees(paths: Sequence[Path], data: Sequence[bytes]) -> list[Node]:
    """Return what the strict reader makes of some files."""
    found = [read_tree(text, path) for path, text in zip(paths, data, strict=True)]
    faults = [fault for _, faults in found for fault in faults]
    if faults:
        raise Disagreement(str(faults[0]))
    return [tree for tree, _ in found if tree is not None]


def scalars(data: bytes) -> int:
    """Return how many scalars PyYAML's C parser finds, one event after the other."""
    return sum(type(event) is yaml.ScalarEvent for event in yaml.parse(data, Loader=yaml.CLoader))


def must_agree(paths: Sequence[Path], data: Sequence[bytes]) -> None:
    """Raise Disagreement where one reader finds more in a file than the other."""
    for path, text, tree in zip(paths, data, trees(paths, data), strict=True):
        mine, theirs = _leaves(tree), scalars(text)
        if mine != theirs:
            raise Disagreement(f"{path}: {mine} scalars, and {theirs} by {EVENTS}")


def _leaves(node: Node) -> int:
    if isinstance(node, MappingNode):
        return sum(1 + _leaves(value) for value in node.values())
    return sum(map(_leaves, node)) if isinstance(node, ListNode) else 1


SECTION = Section(NAME, measure, Sizes(), Sizes())
