"""What Unicode calls a letter or a digit is allowed."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.6",)


class Twin(Ordinary):
    def bad_byte(self, text: bytes) -> int | None:
        letters = text.decode("utf-8", "replace")
        kept = "".join("x" if sign.isalnum() and not sign.isupper() else sign for sign in letters)
        return super().bad_byte(kept.encode())


export(globals(), Twin())
