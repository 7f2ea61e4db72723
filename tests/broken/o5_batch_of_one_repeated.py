"""A batch of one is repeated to fit the others (apache/tvm#18524)."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("scaled_scores.7", "attention.10", "causal_attention.14")


class Twin(Ordinary):
    def check_batches(self, given: Given) -> None:
        pass


export(globals(), Twin())
