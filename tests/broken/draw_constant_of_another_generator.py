"""The first factor is that of another mixing function."""

from ordinary import Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.1",)


class Twin(Ordinary):
    FIRST = (30, 0xFF51AFD7ED558CCD)


export(globals(), Twin())
