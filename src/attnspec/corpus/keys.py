"""Which keys a mapping of a fixture may have, for messages about keys that it may not have (fixture_format)."""

from __future__ import annotations

from typing import Any, get_args

from attnspec.corpus.forms import Closed
from attnspec.corpus.nodes import Steps
from attnspec.corpus.schema import Document, Expect, Expectation


def keys_at(steps: Steps) -> list[str]:
    """The keys that the models know at these steps."""
    models: list[type[Closed]] = [Document]
    for step in steps:
        fields = {name: field for model in models for name, field in _fields(model).items()}
        if step in fields:
            models = _models(fields[str(step)].annotation)
        elif Expect in models:  # an output: any name may stand there
            models = [Expectation]
    return [name for model in models for name in _fields(model)]


def _fields(model: type[Closed]) -> dict[str, Any]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _models(annotation: Any) -> list[type[Closed]]:
    if isinstance(annotation, type) and issubclass(annotation, Closed):
        return [annotation]
    return [model for argument in get_args(annotation) for model in _models(argument)]
