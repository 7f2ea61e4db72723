"""A console that folds long lines at blanks, where a terminal would break words and lose the indentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

_DEEPER = 2  # columns, for what was folded
_LEAST = 40  # columns, below which a terminal breaks lines no worse


class FoldingConsole(Console):
    """Writes lines as they are, or folded to a number of columns; a word that is longer stays whole.

    Args:
        file: where to.
        columns: of the terminal; without one no line is folded, as programs read lines.
        width: of tables.
    """

    def __init__(self, file: TextIO, columns: int | None, width: int) -> None:
        super().__init__(file=file, highlight=False, soft_wrap=True, force_terminal=columns is not None, width=width)
        self._columns = columns if columns is not None and columns >= _LEAST else None

    def print(self, *objects: Any, **told: Any) -> None:
        """Print as every console does; a text is folded where it is longer than the terminal is wide."""
        if self._columns is None or len(objects) != 1 or not isinstance(objects[0], str):
            super().print(*objects, **told)
            return
        for line in self.render_str(objects[0]).split(allow_blank=True):
            indent = len(line.plain) - len(line.plain.lstrip()) + _DEEPER
            for index, piece in enumerate(line.divide(_folds(line.plain, self._columns, indent))):
                piece.rstrip()
                super().print(Text(" " * indent).append_text(piece) if index else piece, **told)


def _folds(line: str, columns: int, indent: int) -> Iterator[int]:
    """Yield where the pieces of a line begin, of which all but the first are indented."""
    start, room = 0, columns
    for word in re.finditer(r"\S+", line):
        if line[start : word.start()].strip() and cell_len(line[start : word.end()]) > room:
            yield word.start()
            start, room = word.start(), columns - indent
