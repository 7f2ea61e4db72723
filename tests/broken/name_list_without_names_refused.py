"""A list without names is refused."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("parameter_names.3",)


class Twin(Ordinary):
    def check_each_name(self, given: Given) -> None:
        if not given["names"]:
            raise Refusal("empty_name")
        super().check_each_name(given)


export(globals(), Twin())
