"""A dot at the end of a name is allowed."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.5",)


class Twin(Ordinary):
    def hole(self, text: bytes) -> int | None:
        return super().hole(text.rstrip(b".") or text)


export(globals(), Twin())
