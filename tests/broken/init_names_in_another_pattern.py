"""Names say weight before the branch."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_initialization.1",)


class Twin(Ordinary):
    def branch_names(self, prefix: str) -> tuple[str, ...]:
        return tuple(f"{prefix}.weight.{branch}" for branch in ("query", "key", "value"))


export(globals(), Twin())
