"""Models: what a mapping with certain keys holds, as a class whose fields say how each is read (fixture_format).

class Placed(Model):
    at: tuple[int, ...] = field(COUNTS)
    value: float = field(NUMBER)
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Set
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform, overload

from attnspec.corpus.entries import EntryFault, Faults, Form, Schema, mapping_of
from attnspec.corpus.nodes import KeyStep, Node
from attnspec.corpus.rejections import nearest

T = TypeVar("T")
D = TypeVar("D")

NOTHING: Mapping[str, Any] = MappingProxyType({})

_REQUIRED: Any = object()


class _Field:
    """What a model knows of one key; the value of an instance whose mapping lacks the key."""

    def __init__(self, form: Form[Any], default: Any, key: str = "", takes_others: bool = False) -> None:
        self.form, self.default, self.key, self.takes_others = form, default, key, takes_others

    def __set_name__(self, owner: type[Model], name: str) -> None:
        self.name = name
        self.key = self.key or name

    def __get__(self, instance: Model | None, owner: type[Model]) -> Any:
        return self if instance is None else self.default


@overload
def field(form: Form[T], *, key: str = "") -> T: ...
@overload
def field(form: Form[T], *, default: D, key: str = "") -> T | D: ...
def field(form: Form[Any], *, default: Any = _REQUIRED, key: str = "") -> Any:
    """Return a field of a model.

    Args:
        form: how its value is read.
        default: the value where the key is absent; without one the key must be there.
        key: the key where it is not the name of the field.
    """
    return _Field(form, default, key)


def other_keys(form: Form[T], *, default: Mapping[str, T] = NOTHING) -> Mapping[str, T]:
    """Return the field of a model that takes all keys which are no other's."""
    return _Field(form, default, takes_others=True)  # type: ignore[return-value]  # what it is on an instance


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field, other_keys))
class Model:
    """A mapping with the keys that its fields name, and no others."""

    fields: ClassVar[dict[str, _Field]] = {}
    others: ClassVar[_Field | None] = None

    def __init_subclass__(cls) -> None:
        fields = [one for one in vars(cls).values() if isinstance(one, _Field)]
        cls.fields = {one.key: one for one in fields if not one.takes_others}
        cls.others = next((one for one in fields if one.takes_others), None)

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} stays as it was read")

    @property
    def written(self) -> Set[str]:
        """The names of the fields that the mapping has."""
        return vars(self).keys()

    @classmethod
    def read(cls, node: Node) -> Self:
        """Read a mapping; ValueError or EntryFaults where it cannot be read."""
        entries = mapping_of(node)
        faults = Faults()
        faults.found.extend(cls._faults_of_keys(entries.keys()))
        values: dict[str, Any] = {}
        for key, entry in entries.items():
            if (known := cls.fields.get(key)) is not None:
                values[known.name] = faults.reading(key, known.form.read, entry)
            elif cls.others is not None:
                values.setdefault(cls.others.name, {})[str(key)] = faults.reading(key, cls.others.form.read, entry)
        faults.told()
        made = cls(**values)
        faults.found.extend(made.faults())
        faults.told()
        return made

    @classmethod
    def _faults_of_keys(cls, keys: Set[str]) -> Iterator[EntryFault]:
        unknown = [key for key in keys if key not in cls.fields] if cls.others is None else []
        for key in unknown:
            yield EntryFault((KeyStep(key),), f"unknown key; {nearest(key, cls.fields)}")
        for key, one in cls.fields.items():
            if one.default is _REQUIRED and key not in keys:
                yield EntryFault((key,), "missing", is_missing=True)
        if not unknown and (message := cls.misfit(keys)):
            yield EntryFault((), message)

    @classmethod
    def misfit(cls, keys: Set[str]) -> str:
        """Say why these keys do not go together; nothing where they do."""
        return ""

    def faults(self) -> Iterator[EntryFault]:
        """Yield what is wrong about entries that are sound each for itself."""
        yield from ()

    @classmethod
    def schema(cls, definitions: Schema) -> Schema:
        """Return a reference to the JSON Schema, which is put among the definitions."""
        if cls.__name__ not in definitions:
            definitions[cls.__name__] = cls.own_schema(definitions)
        return {"$ref": f"#/$defs/{cls.__name__}"}

    @classmethod
    def own_schema(cls, definitions: Schema) -> Schema:
        """Return the JSON Schema itself."""
        schemas = {key: one.form.schema(definitions) for key, one in cls.fields.items()}
        others = cls.others.form.schema(definitions) if cls.others is not None else False
        required = [key for key, one in cls.fields.items() if one.default is _REQUIRED]
        return {
            "additionalProperties": others,
            **({"description": inspect.cleandoc(cls.__doc__)} if cls.__doc__ else {}),
            "properties": schemas,
            **({"required": required} if required else {}),
            "type": "object",
        }
