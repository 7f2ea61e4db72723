"""A single token is repeated to fit the others: token counts are not compared (apache/tvm#18524)."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("core", "strict")
BREAKS = ("scaled_scores.8", "attention.11", "causal_attention.15")


class Twin(Ordinary):
    def check_tokens(self, given: Given) -> None:
        pass


export(globals(), Twin())
