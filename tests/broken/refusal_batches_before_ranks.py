"""Batch sizes are compared before ranks, wherever there is a first axis."""

from ordinary import Given, Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("scaled_scores.12", "attention.9", "attention.15", "causal_attention.13", "causal_attention.19")


class Twin(Ordinary):
    def check_ranks(self, given: Given) -> None:
        self.check_batches(given)
        super().check_ranks(given)


export(globals(), Twin())
