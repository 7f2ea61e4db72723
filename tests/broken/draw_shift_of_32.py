"""The last shift is 32 in place of 31."""

from ordinary import Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.1",)


class Twin(Ordinary):
    LAST = 32


export(globals(), Twin())
