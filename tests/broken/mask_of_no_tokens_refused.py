"""A mask for no tokens is refused, although the empty square is valid."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_mask.5",)


class Twin(Ordinary):
    def check_negative(self, given: Given) -> None:
        if given["tokens"] < 1:
            raise Refusal("negative_tokens", tokens=given["tokens"])


export(globals(), Twin())
