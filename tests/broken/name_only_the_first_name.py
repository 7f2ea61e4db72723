"""Only the first name is looked at."""

from ordinary import Given, Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.6", "parameter_names.8", "parameter_names.11")


class Twin(Ordinary):
    def check_each_name(self, given: Given) -> None:
        super().check_each_name({"names": given["names"][:1]})


export(globals(), Twin())
