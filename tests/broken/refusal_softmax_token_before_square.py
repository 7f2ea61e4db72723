"""Whether there is a token is asked before the scores are known to be square."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("causal_softmax.13", "causal_softmax.15")


class Twin(Ordinary):
    ORDER = Ordinary.reordered(causal_softmax=("leaves", "scores_rank", "some_token", "square"))


export(globals(), Twin())
