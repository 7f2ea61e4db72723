"""A negative number of tokens is taken as none."""

from typing import Any

from ordinary import Given, Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("causal_mask.6", "causal_mask.9")


class Twin(Ordinary):
    def causal_mask(self, tokens: int) -> dict[str, Any]:
        return super().causal_mask(max(tokens, 0))

    def check_negative(self, given: Given) -> None:
        pass


export(globals(), Twin())
