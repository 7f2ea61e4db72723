"""A name of one segment gets the usual ending."""

from collections.abc import Sequence

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_parameters.1",)


class Twin(Ordinary):
    def listed(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name if "." in name else f"{name}.weight" for name in names)


export(globals(), Twin())
