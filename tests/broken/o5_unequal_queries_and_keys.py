"""Scores with more queries than keys, or fewer, are accepted."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("causal_softmax.13",)


class Twin(Ordinary):
    def check_square(self, given: Given) -> None:
        pass


export(globals(), Twin())
