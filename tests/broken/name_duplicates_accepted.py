"""Equal names are accepted."""

from ordinary import Given, Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.9", "parameter_names.10")


class Twin(Ordinary):
    def check_duplicates(self, given: Given) -> None:
        pass


export(globals(), Twin())
