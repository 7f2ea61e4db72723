"""Where the query has no upstream, nothing flows back at all."""

from ordinary import Array, Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.11",)


class Twin(Ordinary):
    def qkv_projection_vjp(self, input: Array, *weights: Array, **upstreams: Array) -> dict[str, Array]:
        kept = {name: array * upstreams["query"].any() for name, array in upstreams.items()}
        return super().qkv_projection_vjp(input, *weights, **kept)


export(globals(), Twin())
