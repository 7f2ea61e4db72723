"""An empty segment is reported at the dot before it."""

from copies import reference_copy

from attnspec.errors import EmptySegmentError

BUG_KIND = "names"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = ("parameter_names.5",)


TARGET = reference_copy()
modules = TARGET.modules


def check_name(name: str) -> None:
    try:
        right(name)
    except EmptySegmentError as error:
        raise EmptySegmentError(index=max(error.index - 1, 0)) from error


right = modules.attention_parameter_names.check_name


modules.attention_parameter_names.check_name = check_name
