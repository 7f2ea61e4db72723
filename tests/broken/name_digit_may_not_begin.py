"""A segment must be an identifier: one that begins with a digit is refused."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("parameter_names.1", "parameter_names.2")


class Twin(Ordinary):
    def bad_byte(self, text: bytes) -> int | None:
        begins = [0, *(index + 1 for index, byte in enumerate(text) if byte == ord("."))]
        digits = [index for index in begins if text[index : index + 1].isdigit()]
        return digits[0] if digits else super().bad_byte(text)


export(globals(), Twin())
