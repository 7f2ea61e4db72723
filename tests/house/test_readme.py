"""README's two commands do all the set-up, and .ci/run runs them as they stand there; links lead somewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from house.sources import ROOT, holds

COMMANDS = [
    "python -m venv .venv && .venv/bin/pip install . && .venv/bin/attnspec check",
    '.venv/bin/pip install -e ".[test]" && .venv/bin/pytest',
]


def test_the_continuous_run_begins_with_readmes_two_commands() -> None:
    assert shown(read("README.md")) == COMMANDS
    assert run(read(".ci/run"))[:2] == COMMANDS


def test_the_continuous_run_checks_the_reference_in_its_own_process_style_types_and_goldens() -> None:
    wanted = [
        'attnspec check reference --profile all --level bits -k "not 1031 and not 2048"',
        "attnspec check --profile large",
    ]
    wanted += ["ruff check", "ruff format --check", "mypy", "python tools/regenerate_goldens.py --check"]
    wanted += ["python tools/check_portability.py --numpy oldest --arch arm64 --if-available"]
    assert run(read(".ci/run"))[2 : 2 + len(wanted)] == [f".venv/bin/{command}" for command in wanted]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


@pytest.mark.parametrize(
    ("file", "commands", "there", "instead"),
    [
        ("README.md", "shown", "pip install .", "pip install --user ."),
        ("README.md", "shown", "```sh\n.venv", "```sh\ncd attnspec\n.venv"),
        (".ci/run", "run", "&& .venv/bin/pytest", "&& .venv/bin/pytest -x"),
        (".ci/run", "run", "step '.venv/bin/pip", "# step '.venv/bin/pip"),
    ],
)
def test_a_changed_command_is_caught(file: str, commands: str, there: str, instead: str) -> None:
    text = read(file)
    assert there in text
    reader: Callable[[str], list[str]] = {"shown": shown, "run": run}[commands]
    assert reader(text.replace(there, instead))[:2] != COMMANDS


def test_every_link_of_readme_and_spec_leads_somewhere() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "spec").glob("*.md")), *sorted((ROOT / "fixtures").glob("*.md"))]
    holds([fault for page in pages for fault in dead_links(page)])


def test_a_dead_link_is_caught(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[here](page.md#top), [there](gone.md), [elsewhere](https://example.org/x)", encoding="utf-8")
    assert dead_links(page) == [f"{page}: gone.md"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def shown(readme: str) -> list[str]:
    return re.findall(r"^```sh\n(.*?)\n```$", readme, re.MULTILINE | re.DOTALL)


def run(script: str) -> list[str]:
    return re.findall(r"^step '(.*)'$", script, re.MULTILINE)


def dead_links(page: Path) -> list[str]:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    return [f"{page}: {link}" for link in links if "://" not in link and not (page.parent / link).exists()]
