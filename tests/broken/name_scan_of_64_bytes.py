"""Only the first 64 bytes of a name are looked at."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.6", "parameter_names.7")


class Twin(Ordinary):
    def bad_byte(self, text: bytes) -> int | None:
        return super().bad_byte(text[:64])


export(globals(), Twin())
