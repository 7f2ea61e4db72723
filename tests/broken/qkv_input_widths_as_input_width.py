"""Weights with different numbers of rows are reported as an input of the wrong width."""

from ordinary import Given, Ordinary, export

BUG_KIND = "code"
LEVEL = "bound"
PROFILES = ("core", "strict")
BREAKS = ("qkv_projection.14", "qkv_parameters.9")


class Twin(Ordinary):
    def check_input_widths(self, given: Given) -> None:
        for name in ("key_weight", "value_weight"):
            self.refuse_input_width(given[name].T, given["query_weight"])


export(globals(), Twin())
