"""A tolerance of negative zero is taken as negative."""

import numpy as np
from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.6",)


class Twin(Ordinary):
    def check_tolerance(self, given: Given) -> None:
        super().check_tolerance(given)
        if np.signbit(given["tolerance"]):
            raise Refusal("invalid_tolerance")


export(globals(), Twin())
