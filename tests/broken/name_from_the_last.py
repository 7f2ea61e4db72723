"""Names are looked at from the last to the first."""

from ordinary import Given, Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.8",)


class Twin(Ordinary):
    def check_each_name(self, given: Given) -> None:
        super().check_each_name({"names": given["names"][::-1]})


export(globals(), Twin())
