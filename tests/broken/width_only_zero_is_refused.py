"""A width is compared with 0, so a negative one passes."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("xavier_uniform.6", "xavier_uniform.7", "qkv_initialization.5")


class Twin(Ordinary):
    def check_fan_in(self, given: Given) -> None:
        if given["fan_in"] == 0:
            raise Refusal("zero_fan_in")

    def check_fan_out(self, given: Given) -> None:
        if given["fan_out"] == 0:
            raise Refusal("zero_fan_out")


export(globals(), Twin())
