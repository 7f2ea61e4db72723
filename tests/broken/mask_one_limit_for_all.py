"""A mask that cannot be held is refused with the code of an overflow."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = ("causal_mask.8",)


class Twin(Ordinary):
    def check_memory(self, given: Given) -> None:
        if given["tokens"] ** 2 > self.MOST_CELLS:
            raise Refusal("mask_overflow", tokens=given["tokens"])


export(globals(), Twin())
