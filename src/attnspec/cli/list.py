"""`attnspec list`: name the cases."""

from __future__ import annotations

import argparse
import json

from attnspec.cli.common import UsageFault, open_corpus, selected_fixtures


def run(options: argparse.Namespace) -> int:
    """Print one line per case, or a JSON array; status 2 when none matches."""
    fixtures = selected_fixtures(open_corpus(options), options.selection)
    rows = [
        {
            "id": fixture.id,
            "operation": fixture.operation.name,
            "profile": fixture.profile,
            "rejected": fixture.rejects is not None,
            "clauses": list(fixture.clauses),
        }
        for fixture in fixtures
    ]
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        width = max((len(str(row["id"])) for row in rows), default=0)
        for row in rows:
            print(f"{row['id']:{width}}  {row['profile']:9}  {', '.join(map(str, row['clauses']))}")  # type: ignore[call-overload]
    if not rows and not options.json:
        raise UsageFault(f"no case matches -k {options.selection!r}" if options.selection else "the corpus is empty")
    return 0 if rows else 2
