"""A tolerance that is infinite or NaN is accepted."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("gradient_check.6",)


class Twin(Ordinary):
    def check_tolerance(self, given: Given) -> None:
        if float(given["tolerance"]) < 0.0:
            raise Refusal("invalid_tolerance")


export(globals(), Twin())
