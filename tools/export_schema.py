"""Write spec/schema/*.schema.json from the models: `python tools/export_schema.py`.

The schema of fixtures is for completion in editors, those of reports and comparisons for who reads
`attnspec check --json` and `attnspec compare --json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from _checkout import require_checkout

ROOT = require_checkout()

from attnspec.conformance.report_schema import comparison_schema, report_schema  # noqa: E402  only from this checkout
from attnspec.corpus.schema import fixture_schema  # noqa: E402

SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "comparison": comparison_schema,
    "fixture": fixture_schema,
    "report": report_schema,
}


def main() -> None:
    """Write each schema."""
    folder = ROOT / "spec" / "schema"
    folder.mkdir(exist_ok=True)
    for name, schema in SCHEMAS.items():
        path = folder / f"{name}.schema.json"
        path.write_text(json.dumps(schema(), indent=1) + "\n", encoding="utf-8", newline="\n")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
