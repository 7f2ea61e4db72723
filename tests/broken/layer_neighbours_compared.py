"""Only neighbouring names are compared."""

from itertools import pairwise

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_parameters.11", "parameter_names.9")


class Twin(Ordinary):
    def check_duplicates(self, given: Given) -> None:
        names = given["names"]
        for second, pair in enumerate(pairwise(names), start=1):
            if pair[0] == pair[1]:
                raise Refusal("duplicate_name", name=pair[0], first=second - 1, second=second)


export(globals(), Twin())
