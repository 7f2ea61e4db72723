"""A name of more than 255 bytes is refused."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("parameter_names.1",)


class Twin(Ordinary):
    def bad_byte(self, text: bytes) -> int | None:
        return super().bad_byte(text) if len(text) < 256 else 255


export(globals(), Twin())
