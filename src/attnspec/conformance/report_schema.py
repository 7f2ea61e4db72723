"""The JSON Schemas of a report and of a comparison, made from their models (conformance)."""

from __future__ import annotations

from typing import Any

from attnspec.conformance.comparison_model import Comparison
from attnspec.conformance.report_model import Closed, Report


def report_schema() -> dict[str, Any]:
    """Return the schema of what `check --json` writes."""
    return _schema(Report)


def comparison_schema() -> dict[str, Any]:
    """Return the schema of what `compare --json` prints."""
    return _schema(Comparison)


def _schema(model: type[Closed]) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_tidy(model.model_json_schema())}


def _tidy(schema: Any) -> Any:
    """Leave out titles, defaults and the null of what may be absent: an entry that is there says something."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema if item != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    left = {key: _tidy(value) for key, value in schema.items() if key not in ("title", "default")}
    alternatives = left.get("anyOf", ())
    return left if len(alternatives) != 1 else {**alternatives[0], **{k: left[k] for k in left if k != "anyOf"}}
