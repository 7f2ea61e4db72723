"""The JSON Schema of a report, made from its models (conformance)."""

from __future__ import annotations

from typing import Any

from attnspec.conformance.report_model import Report


def report_schema() -> dict[str, Any]:
    """Return the schema of what `check --json` writes."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_tidy(Report.model_json_schema())}


def _tidy(schema: Any) -> Any:
    """Leave out titles, defaults and the null of what may be absent: an entry that is there says something."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema if item != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    left = {key: _tidy(value) for key, value in schema.items() if key not in ("title", "default")}
    alternatives = left.get("anyOf", ())
    return left if len(alternatives) != 1 else {**alternatives[0], **{k: left[k] for k in left if k != "anyOf"}}
