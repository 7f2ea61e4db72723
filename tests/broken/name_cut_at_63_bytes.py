"""A name is cut at 63 bytes, as a database does."""

from collections.abc import Sequence

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("parameter_names.1", "parameter_names.2")


class Twin(Ordinary):
    def listed(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name[:63] for name in names)


export(globals(), Twin())
