"""A byte outside ASCII is reported as the code point of its character."""

from copies import reference_copy

from attnspec.errors import NameByteError

BUG_KIND = "names"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = ("parameter_names.6",)


TARGET = reference_copy()
modules = TARGET.modules


def check_name(name: str) -> None:
    try:
        right(name)
    except NameByteError as error:
        raise NameByteError(index=error.index, byte=ord(max(name))) from error


right = modules.attention_parameter_names.check_name


modules.attention_parameter_names.check_name = check_name
