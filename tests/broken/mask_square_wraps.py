"""The square of the token count is taken in 64 bits and wraps round, so the count looks small."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "overflow"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("causal_mask.7",)


class Twin(Ordinary):
    def check_overflow(self, given: Given) -> None:
        if (given["tokens"] ** 2 + 2**63) % 2**64 < 2**63:
            raise Refusal("mask_overflow", tokens=given["tokens"])


export(globals(), Twin())
