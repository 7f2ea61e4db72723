"""Two equal names are reported as such, not as a layer that cannot be initialised."""

from ordinary import Given, Ordinary, export

BUG_KIND = "code"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_parameters.11",)


class Twin(Ordinary):
    def check_joint_names(self, given: Given) -> None:
        self.check_duplicates(given)


export(globals(), Twin())
