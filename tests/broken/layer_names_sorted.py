"""Names come back sorted."""

from collections.abc import Sequence

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("parameter_names.2", "qkv_parameters.1")


class Twin(Ordinary):
    def listed(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(names))


export(globals(), Twin())
