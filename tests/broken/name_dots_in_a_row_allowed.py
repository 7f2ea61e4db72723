"""Dots in a row count as one."""

from ordinary import Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.5", "qkv_parameters.6")


class Twin(Ordinary):
    def hole(self, text: bytes) -> int | None:
        return super().hole(b".".join(part for part in text.split(b".") if part) or text)


export(globals(), Twin())
