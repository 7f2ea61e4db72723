"""Names go through a tree of segments and come back grouped by the first one."""

from collections.abc import Sequence

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("parameter_names.2",)


class Twin(Ordinary):
    def listed(self, names: Sequence[str]) -> tuple[str, ...]:
        firsts = list(dict.fromkeys(name.split(".")[0] for name in names))
        return tuple(sorted(names, key=lambda name: firsts.index(name.split(".")[0])))


export(globals(), Twin())
