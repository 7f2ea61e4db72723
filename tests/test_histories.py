"""Histories and roles: data on the pages of topics, and what `attnspec show` makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from attnspec.cli import main
from attnspec.corpus.histories import HistoryFault, histories, roles
from corpus_cases import CORPUS

LABELS = {
    "qkv_projection": {
        "earlier left": "decoder-state",
        "earlier right": "encoder-annotations",
        "transformer source": "one-sequence",
        "mapping": "retrospective",
    },
    "causal_attention": {
        "earlier": "recurrent-autoregressive-state",
        "visibility": "available-prefix",
        "transformer": "parallel-known-targets",
        "decoder rule": "no-subsequent-positions",
        "generation": "sequential",
    },
}


@pytest.mark.parametrize("topic", LABELS)
def test_the_labels_of_a_history_are_those_of_the_lessons(topic: str) -> None:
    (history,) = histories(topic, CORPUS.spec)
    assert history.labels == LABELS[topic]
    in_the_table = {cell for row in history.rows for cell in row.cells}
    assert in_the_table - {"–"} == set(history.labels.values()) - {"retrospective"}


def test_the_history_of_the_projections_has_the_columns_and_rows_of_the_lesson() -> None:
    (history,) = histories("qkv_projection", CORPUS.spec)
    assert history.columns == (
        "previous decoder state",
        "encoder annotations",
        "one sequence of the previous layer",
    )
    assert [(row.name, row.cells) for row in history.rows] == [
        ("additive attention", ("decoder-state", "encoder-annotations", "–")),
        ("self-attention", ("–", "–", "one-sequence")),
    ]
    assert history.caption == "Only a limited retrospective analogy."


def test_the_roles_are_those_of_the_lesson() -> None:
    assert roles("qkv_projection", CORPUS.spec) == {
        "query": "What information should be taken into account for this position?",
        "key": "By which features is this position matched with a query?",
        "value": "What content does this position pass on?",
    }


def test_a_topic_without_such_data_has_none() -> None:
    assert histories("causal_mask", CORPUS.spec) == ()
    assert roles("no_such_page", CORPUS.spec) == {}


@pytest.mark.parametrize(
    ("case", "parts"),
    [
        (
            "qkv_projection/worked_example",
            ["roles", "matched with a query?", "decoder-state", "mapping: retrospective"],
        ),
        ("causal_attention/rejected/no_tokens", ["history", "available-prefix", "Graves, 2013"]),
    ],
)
def test_show_prints_them_with_every_case_of_the_topic(
    capsys: pytest.CaptureFixture[str], case: str, parts: list[str]
) -> None:
    assert main(["show", case]) == 0
    out = capsys.readouterr().out
    assert [part for part in parts if part not in out] == []


PAGE = """# A topic

```yaml history
caption: Then and now.
columns: [then, now]
rows:
  - {name: a mechanism, source: "Somebody, 1999", cells: [a-label, other-label]}
labels: {earlier: a-label, later: other-label}
```
"""


@pytest.mark.parametrize(
    ("there", "instead", "fault"),
    [
        ("", "", None),
        ("caption: Then and now.\n", "", "caption, columns, rows, labels"),
        ("caption:", "title:", "caption, columns, rows, labels"),
        ("[a-label, other-label]", "[a-label]", "1 cells under 2 columns"),
        ("[a-label, other-label]", "a-label", "a list is expected"),
        ("{earlier: a-label, later: other-label}", "[a-label]", "texts by name"),
        ("{earlier: a-label", "{earlier: [a-label]", "a text is expected"),
        ("{earlier: a-label", "{later: a-label", "twice|again|duplicate"),
        ("name: a mechanism, ", "", "name, source, cells"),
        ("[then, now]", "[then, now", "history: "),
    ],
)
def test_a_block_of_another_form_is_refused(tmp_path: Path, there: str, instead: str, fault: str | None) -> None:
    (tmp_path / "topic.md").write_text(PAGE.replace(there, instead, 1) if there else PAGE, encoding="utf-8")
    if fault is None:
        assert histories("topic", tmp_path)[0].rows[0].cells == ("a-label", "other-label")
        return
    with pytest.raises(HistoryFault, match=fault):
        histories("topic", tmp_path)
