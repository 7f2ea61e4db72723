"""All segments of a name are looked at before its bytes."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.7",)


class Twin(Ordinary):
    def bad_byte(self, text: bytes) -> int | None:
        return super().bad_byte(text) if self.hole(text) is None else None


export(globals(), Twin())
