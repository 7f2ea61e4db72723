"""Capital letters are allowed."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.6", "parameter_names.8", "qkv_parameters.6", "qkv_initialization.5")


class Twin(Ordinary):
    def bad_byte(self, text: bytes) -> int | None:
        return super().bad_byte(text.lower())


export(globals(), Twin())
