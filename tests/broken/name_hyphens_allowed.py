"""Hyphens are allowed, as in most names."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.6",)


class Twin(Ordinary):
    def bad_byte(self, text: bytes) -> int | None:
        return super().bad_byte(text.replace(b"-", b"_"))


export(globals(), Twin())
