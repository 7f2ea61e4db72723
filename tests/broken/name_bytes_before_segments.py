"""All bytes of a name are looked at before its segments."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.7",)


class Twin(Ordinary):
    def hole(self, text: bytes) -> int | None:
        return super().hole(text) if self.bad_byte(text) is None else None


export(globals(), Twin())
