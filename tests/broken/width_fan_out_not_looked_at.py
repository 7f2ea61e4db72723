"""A weight without columns is accepted."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("linear_projection.10", "qkv_projection.12", "qkv_parameters.6", "qkv_initialization.5", "xavier_uniform.7")


class Twin(Ordinary):
    def check_fan_out(self, given: Given) -> None:
        pass


export(globals(), Twin())
