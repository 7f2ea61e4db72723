"""Two weights may have one name."""

from ordinary import Given, Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_parameters.11",)


class Twin(Ordinary):
    def check_joint_names(self, given: Given) -> None:
        pass


export(globals(), Twin())
