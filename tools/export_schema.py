"""Write spec/schema/fixture.schema.json, for completion in editors: `python tools/export_schema.py`."""

from __future__ import annotations

from _checkout import require_checkout

ROOT = require_checkout()

from attnspec.corpus.schema_export import json_schema  # noqa: E402  only from this checkout


def main() -> None:
    """Write the schema of fixtures."""
    path = ROOT / "spec" / "schema" / "fixture.schema.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json_schema(), encoding="utf-8", newline="\n")
    print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
