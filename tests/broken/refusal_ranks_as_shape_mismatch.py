"""A wrong rank is reported as a mismatch of shapes."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "code"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("scaled_scores.6", "attention.9", "causal_attention.13")


class Twin(Ordinary):
    def check_ranks(self, given: Given) -> None:
        try:
            super().check_ranks(given)
        except Refusal as fault:
            raise Refusal("shape_mismatch") from fault


export(globals(), Twin())
