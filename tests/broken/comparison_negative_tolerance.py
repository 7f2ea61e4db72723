"""A negative tolerance is accepted."""

from ordinary import Given, Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("gradient_check.6",)


class Twin(Ordinary):
    def check_tolerance(self, given: Given) -> None:
        super().check_tolerance({"tolerance": abs(float(given["tolerance"]))})


export(globals(), Twin())
