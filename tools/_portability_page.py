"""The page about portability that is committed, which says of which corpus it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from _portability_table import COLUMNS, Outcome, rows, summary, today
from attnspec import __version__
from attnspec.cli.common import counted

PAGE_NAME = "spec/results/portability.md"
_CORPUS = re.compile(r"the corpus `([0-9a-f]+)`")
_GOLDENS = re.compile(r"^([\d,]+ goldens?), ", re.MULTILINE)


def page(outcome: Outcome, numpy: Sequence[str], arch: Sequence[str]) -> str:
    """Return the page that is committed.

    Args:
        outcome: what was found.
        numpy: what was asked for with --numpy.
        arch: what was asked for with --arch.
    """
    lines = [f"| {' | '.join(row)} |" for row in (COLUMNS, ("---",) * len(COLUMNS), *rows(outcome.results))]
    said = [f"- not run: {what}: {why}" for what, why in outcome.not_run]
    return "\n".join(
        [
            "# The same bits elsewhere",
            "",
            f"Written on {today()} with attnspec {__version__} and the corpus `{outcome.corpus[:16]}` by",
            "",
            f"    python tools/check_portability.py --numpy {','.join(numpy)} --arch {','.join(arch)} --write",
            "",
            f"{summary(outcome)}.",
            "",
            "Each run computed every golden again, all intermediates and gradients, and blocks of exponentials and of",
            "products in tiles. Where more than one run stands in a row, they are all BLAS kernels of the machine with",
            "each number of threads. Features are switched off from the last one down; a row names them or their ends.",
            "",
            *lines,
            *(["", *said] if said else []),
            "",
        ]
    )


def other_corpus(place: Path, outcome: Outcome) -> str:
    """Return a line where a page is of another corpus than an outcome, else nothing.

    Args:
        place: holds what `page` returned some time.
        outcome: of the corpus as it is.
    """
    written = place.read_text(encoding="utf-8") if place.is_file() else ""
    corpus, goldens = _CORPUS.search(written), _GOLDENS.search(written)
    if corpus is None or goldens is None:
        return f"{PAGE_NAME} does not say of which corpus it is"
    now = counted(outcome.cases, "golden"), outcome.corpus[:16]
    then = goldens[1], corpus[1]
    return "" if now == then else f"{PAGE_NAME} is of {', corpus '.join(then)}; these are {', corpus '.join(now)}"
