"""Of three equal names the pair of the last two is reported."""

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
    pairs = [(place, name) for place, name in enumerate(names) if name in names[:place]]
    if pairs:
        second, name = pairs[-1]
        raise DuplicateNameError(name=name, first=names.index(name), second=second)


modules.attention_parameter_names.check_unique = check_unique
