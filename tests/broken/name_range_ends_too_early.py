"""The range of digits ends at 8."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("parameter_names.1",)


class Twin(Ordinary):
    def bad_byte(self, text: bytes) -> int | None:
        nine = text.find(b"9")
        return nine if nine >= 0 else super().bad_byte(text)


export(globals(), Twin())
