"""The loss is averaged over the rows that have an upstream."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "loss"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.18", "scaled_scores.19")


class Twin(Ordinary):
    def scaled_scores_vjp(self, query: Array, key: Array, scaled_scores: Array, raw_scores: Any = None) -> Any:
        given = scaled_scores.any(axis=-1)
        factor = given.size / given.sum() if given.any() and raw_scores is None else 1.0
        return super().scaled_scores_vjp(query, key, scaled_scores * factor, raw_scores)


export(globals(), Twin())
