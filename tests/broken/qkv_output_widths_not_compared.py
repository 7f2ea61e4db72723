"""Weights with different numbers of columns make a layer."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_projection.15", "qkv_parameters.10")


class Twin(Ordinary):
    def check_output_widths(self, given: Given) -> None:
        pass


export(globals(), Twin())
