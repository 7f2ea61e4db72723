"""The largest index is taken as that of 31 bits: masks that could be counted are refused as overflow."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "overflow"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = ("causal_mask.7", "causal_mask.8")


class Twin(Ordinary):
    def check_overflow(self, given: Given) -> None:
        if given["tokens"] ** 2 > 2**31 - 1:
            raise Refusal("mask_overflow", tokens=given["tokens"])


export(globals(), Twin())
