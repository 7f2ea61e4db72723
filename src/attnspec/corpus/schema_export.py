"""JSON Schemas of what is read and written, made from the models; that of a fixture is for editors (fixture_format)."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from attnspec.corpus.schema import Document


def json_schema(model: type[BaseModel] = Document) -> str:
    """Return the schema of a model, by default of a fixture, as text."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
    return json.dumps(_tidy(schema), indent=1) + "\n"


def _tidy(schema: Any) -> Any:
    """Leave out titles, defaults and the null of what may be absent: an entry that is there says something."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema if item != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    left = {key: _tidy(value) for key, value in schema.items() if key not in ("title", "default")}
    alternatives = left.get("anyOf", ())
    return left if len(alternatives) != 1 else {**alternatives[0], **{k: left[k] for k in left if k != "anyOf"}}
