"""`attnspec list`: name the cases."""

from __future__ import annotations

import argparse
import json

from attnspec.cli.common import nothing_found, open_corpus, selected_fixtures


def run(options: argparse.Namespace) -> int:
    """Print one line per case, or a JSON array; status 2 when none matches."""
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
