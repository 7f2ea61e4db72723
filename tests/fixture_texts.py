"""Fixtures as texts with something done to them, and what the reader says of them."""

from __future__ import annotations

from pathlib import Path

from attnspec.corpus.fixture import Fixture
from attnspec.corpus.lint import lint_file, read_fixture
from attnspec.corpus.store import find_corpus

CLAUSES = find_corpus().clauses()

EXPONENTIAL = {
    "about": "One number.",
    "operation": "exponential",
    "profile": "core",
    "clauses": "[exponential.1]",
    "source": "worked by hand",
    "inputs": "{x: 0}",
    "expect": "{y: 1}",
}
SPLITMIX64 = EXPONENTIAL | {
    "operation": "splitmix64",
    "clauses": "[splitmix64.1]",
    "inputs": "{seed: 0, count: 1}",
    "expect": '{draws: ["0xe220a8397b1dcdaf"]}',
}
NAMES = EXPONENTIAL | {
    "operation": "parameter_names",
    "clauses": "[parameter_names.1]",
    "inputs": "{names: [a]}",
    "expect": "{names: [a]}",
}
HEAD = EXPONENTIAL | {
    "operation": "causal_attention",
    "clauses": "[causal_attention.1]",
    "inputs": "{query: [[[0, 3], [2, -1]]], key: [[[3, 0], [-1, 2]]], value: [[[3, -3, 1], [1, 3, 2]]]}",
    "upstream": "{output: [[[1, 0, 1], [0, 1, 2]]]}",
    "expect": "{raw_scores: [[[0, 6], [6, -4]]]}",
}
REFUSED = HEAD | {
    "inputs": "{query: [[[0, 3]]], key: [[[3, 0], [-1, 2]]], value: [[[3], [1]]]}",
    "rejects": "{error: token_mismatch, details: {query: 1, key: 2, value: 2}}",
}
del REFUSED["expect"], REFUSED["upstream"]
NO_UPSTREAM = {key: text for key, text in HEAD.items() if key != "upstream"}
BARE = {key: text for key, text in EXPONENTIAL.items() if key != "expect"} | {"source": "the oracle"}
LONG = NO_UPSTREAM | {
    "profile": "large",
    "inputs": "{"
    + ", ".join(
        f"{name}: {{splitmix64: {{seed: {seed}, shape: [1, 131, 2], low: -1, high: 1}}}}"
        for seed, name in enumerate(("query", "key", "value"))
    )
    + "}",
    "expect": "{output: {shape: [1, 131, 2]}}",
}


def text_of(entries: dict[str, str]) -> str:
    """One line per entry, so that the entry's place in the dictionary is its line."""
    return "".join(f"{key}: {value}\n" for key, value in entries.items())


def faults_of(text: str | bytes | dict[str, str], folder: Path) -> list[str]:
    """Lint a file with this text, beside the corpus `fixtures` of a folder; each fault without its path."""
    path = _written(text, folder)
    return [str(fault).removeprefix(f"{path}:") for fault in lint_file(path, folder / "fixtures", CLAUSES)]


def fixture_of(text: str | bytes | dict[str, str], folder: Path) -> Fixture:
    return read_fixture(_written(text, folder), folder)


def _written(text: str | bytes | dict[str, str], folder: Path) -> Path:
    path = folder / "case.yaml"
    text = text_of(text) if isinstance(text, dict) else text
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
