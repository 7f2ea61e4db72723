"""What is reported as raw scores was scaled already."""

from ordinary import Array, Ordinary, export

BUG_KIND = "intermediate"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.1", "attention.1", "causal_attention.1")


class Twin(Ordinary):
    def raw(self, query: Array, key: Array) -> Array:
        return super().raw(query * query.shape[-1] ** -0.5, key)


export(globals(), Twin())
