"""The prefix is taken as it is: names are not checked."""

from ordinary import Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_initialization.5", "qkv_initialization.6")


class Twin(Ordinary):
    def refuse_name(self, name: str) -> None:
        pass


export(globals(), Twin())
