"""The JSON Schema of a fixture file, for completion in editors (fixture_format)."""

from __future__ import annotations

import json
from typing import Any

from attnspec.corpus.schema import Document


def json_schema() -> str:
    """Return the schema as text."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
    return json.dumps(_tidy(schema), indent=1) + "\n"


def _tidy(schema: Any) -> Any:
    """Leave out titles, defaults and the null of what may be absent: an entry that is there says something."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema if item != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    left = {key: _tidy(value) for key, value in schema.items() if key not in ("title", "default")}
    return left["anyOf"][0] if left.keys() == {"anyOf"} and len(left["anyOf"]) == 1 else left
