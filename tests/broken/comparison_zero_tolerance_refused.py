"""A tolerance of 0 is refused."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.2", "gradient_check.6")


class Twin(Ordinary):
    def check_tolerance(self, given: Given) -> None:
        super().check_tolerance(given)
        if float(given["tolerance"]) == 0.0:
            raise Refusal("invalid_tolerance")


export(globals(), Twin())
