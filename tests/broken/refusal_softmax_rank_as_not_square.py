"""Scores of too low a rank are reported as not square."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "code"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("causal_softmax.12",)


class Twin(Ordinary):
    def check_scores_rank(self, given: Given) -> None:
        try:
            super().check_scores_rank(given)
        except Refusal as fault:
            raise Refusal("not_square") from fault


export(globals(), Twin())
