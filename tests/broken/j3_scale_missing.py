"""Scores are not scaled (mlc-ai/mlc-llm#3426)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "J3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.2", "scaled_scores.3", "attention.1", "causal_attention.1")


class Twin(Ordinary):
    def scale(self, query: Array, key: Array) -> float:
        return 1.0


export(globals(), Twin())
