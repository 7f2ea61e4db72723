"""Gradients of different shapes are broadcast against each other."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("gradient_check.4",)


class Twin(Ordinary):
    def check_same_shape(self, given: Given) -> None:
        pass


export(globals(), Twin())
