"""`attnspec list`: name the cases, or the built-in targets."""

from __future__ import annotations

import argparse
import json

from attnspec.cli.common import UsageFault, nothing_found, open_corpus, selected_fixtures


def run(options: argparse.Namespace) -> int:
    """Print one line per case or target, or a JSON array; status 2 when none matches."""
    return _targets(options) if options.targets else _cases(options)


def _cases(options: argparse.Namespace) -> int:
    corpus = open_corpus(options)
    rows = [
        {
            "id": fixture.id,
            "operation": fixture.operation.name,
            "profile": fixture.profile,
            "rejected": fixture.rejects is not None,
            "clauses": list(fixture.clauses),
        }
        for fixture in selected_fixtures(corpus, options.selection)
    ]
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        width = max((len(str(row["id"])) for row in rows), default=0)
        for row in rows:
            print(f"{row['id']:{width}}  {row['profile']:9}  {', '.join(map(str, row['clauses']))}")  # type: ignore[call-overload]
    if not rows:
        raise nothing_found(corpus, options.selection)
    return 0


def _targets(options: argparse.Namespace) -> int:
    from attnspec.corpus.selection import SelectionError, compile_selection
    from attnspec.targets.built_in import BUILT_IN

    try:
        matches = compile_selection(options.selection)
    except SelectionError as error:
        raise UsageFault(str(error)) from None
    chosen = {name: target for name, target in BUILT_IN.items() if matches(name)}
    if options.json:
        rows = [
            {
                "name": name,
                "framework": target.needs[0],
                "version": target.installed or None,
                "missing": target.missing or None,
                "extra": target.extra or None,
            }
            for name, target in chosen.items()
        ]
        print(json.dumps(rows, indent=1))
    else:
        width = max(map(len, chosen), default=0)
        for name, target in chosen.items():
            without = f"{target.missing} is not installed; {target.remedy}"
            print(f"{name:{width}}  {f'{target.needs[0]} {target.installed}' if target.installed else without}")
    if not chosen:
        raise UsageFault(f"no target matches -k {options.selection!r}; known: {', '.join(BUILT_IN)}")
    return 0
