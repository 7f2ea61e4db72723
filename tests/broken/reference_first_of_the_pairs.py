"""Of several equal pairs the one whose first name comes first is reported."""

from collections.abc import Sequence

from copies import reference_copy

from attnspec.errors import DuplicateNameError

BUG_KIND = "names"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = ("parameter_names.10",)


TARGET = reference_copy()
modules = TARGET.modules


def check_unique(names: Sequence[str]) -> None:
    for first, name in enumerate(names):
        if name in names[first + 1 :]:
            raise DuplicateNameError(name=name, first=first, second=names.index(name, first + 1))


modules.attention_parameter_names.check_unique = check_unique
