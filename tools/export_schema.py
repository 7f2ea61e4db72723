"""Write spec/schema/*.schema.json from the models: `python tools/export_schema.py`.

The schema of fixtures is for completion in editors, that of reports for who reads `attnspec check --json`.
"""

from __future__ import annotations

from pydantic import BaseModel

from _checkout import require_checkout

ROOT = require_checkout()

from attnspec.conformance.report_model import Report  # noqa: E402  only from this checkout
from attnspec.corpus.schema import Document  # noqa: E402
from attnspec.corpus.schema_export import json_schema  # noqa: E402

MODELS: dict[str, type[BaseModel]] = {"fixture": Document, "report": Report}


def main() -> None:
    """Write each schema."""
    folder = ROOT / "spec" / "schema"
    folder.mkdir(exist_ok=True)
    for name, model in MODELS.items():
        path = folder / f"{name}.schema.json"
        path.write_text(json_schema(model), encoding="utf-8", newline="\n")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
