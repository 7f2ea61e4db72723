"""A weight without rows is accepted."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = (
    "linear_projection.9",
    "qkv_projection.12",
    "qkv_parameters.6",
    "qkv_initialization.5",
    "xavier_uniform.6",
    "xavier_uniform.8",
)


class Twin(Ordinary):
    def check_fan_in(self, given: Given) -> None:
        pass


export(globals(), Twin())
