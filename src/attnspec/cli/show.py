"""`attnspec show`: one case as a person wants to read it."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Mapping

import numpy as np

from attnspec.cli.background import background_lines
from attnspec.cli.common import UsageFault, open_corpus
from attnspec.cli.matrices import decimals_for, hexadecimal, matrix_lines
from attnspec.cli.snippet import snippet_lines
from attnspec.corpus.expectations import answer_values
from attnspec.corpus.faults import FixtureFaults
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.request import Answered, Refused, Reply, Value
from attnspec.corpus.store import Corpus
from attnspec.targets.reference import Reference

WIDTH = 100


def run(options: argparse.Namespace) -> int:
    """Print the case: why it exists, inputs, everything computed, gradients, laws, questions, clauses."""
    corpus = open_corpus(options)
    fixture = _find(corpus, options.case)
    reply = Reference().answer(fixture.request)
    lines = snippet_lines(fixture, reply) if options.python else _page(fixture, reply, corpus, options.bits)
    print("\n".join(lines))
    return 0


def _find(corpus: Corpus, case: str) -> Fixture:
    try:
        return corpus.read(case)
    except OSError:
        from difflib import get_close_matches

        known = [corpus.case_id(path) for path in corpus.paths()]
        near = get_close_matches(case, known, 3) or [name for name in known if case in name][:3]
        hint = f"; perhaps {', '.join(near)}" if near else "; `attnspec list` names them all"
        raise UsageFault(f"{case}: no such case{hint}") from None
    except FixtureFaults as faults:
        raise UsageFault(str(faults)) from None


def _page(fixture: Fixture, reply: Reply, corpus: Corpus, bits: bool) -> Iterator[str]:
    yield f"{fixture.id}  ({fixture.operation.name}, profile {fixture.profile})"
    yield from _wrapped(fixture.about)
    yield from _wrapped(f"source: {fixture.source}")
    yield from _section("inputs", fixture.request.inputs, bits)
    if fixture.request.released:
        yield f"\nfrom a released tape: {', '.join(fixture.request.released)}"
    yield from _section("upstream", fixture.request.upstream, bits)
    yield from _result(fixture, reply, bits)
    yield from _laws(fixture)
    yield from _questions(fixture)
    yield from _clauses(fixture, corpus)
    yield from background_lines(fixture.operation.name, corpus)


def _result(fixture: Fixture, reply: Reply, bits: bool) -> Iterator[str]:
    if isinstance(reply, Answered):
        yield from _section("computed", answer_values(fixture, reply), bits)
    elif isinstance(reply, Refused):
        yield f"\nrefused: {reply.code}  {reply.message}"
        for name, detail in reply.details.items():
            yield f"  {name}: {detail}"


def _section(title: str, values: Mapping[str, Value], bits: bool) -> Iterator[str]:
    if not values:
        return
    yield f"\n{title}"
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            lines = matrix_lines(value, hexadecimal if bits else decimals_for(value))
            if value.ndim == 0:
                yield f"  {name}: {next(lines)}"
                continue
            yield f"  {name} {list(value.shape)}"
            yield from (f"    {line}" for line in lines)
        else:
            yield f"  {name}: {', '.join(value) if isinstance(value, tuple) else value}"


def _laws(fixture: Fixture) -> Iterator[str]:
    if fixture.laws:
        yield "\nlaws"
    for law in fixture.laws:
        yield f"  {law.name}: {textwrap.shorten((type(law).__doc__ or ''), WIDTH)}"


def _questions(fixture: Fixture) -> Iterator[str]:
    if fixture.questions:
        yield "\nquestions"
    for question in fixture.questions:
        yield from _wrapped(question.ask, "  ")
        yield from _wrapped(f"→ {question.answer.text}", "    ")


def _clauses(fixture: Fixture, corpus: Corpus) -> Iterator[str]:
    known = corpus.clauses()
    yield "\nclauses"
    for name in fixture.clauses:
        text = " ".join(known[name].text.split()) if name in known else "(no such clause)"
        yield from _wrapped(f"{name}  {text}", "  ")


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(" ".join(text.split()), WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")
