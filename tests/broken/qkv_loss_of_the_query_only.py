"""The loss counts the query only."""

from ordinary import Array, Ordinary, export

BUG_KIND = "loss"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.8", "qkv_projection.9", "qkv_projection.10")


class Twin(Ordinary):
    def qkv_projection_vjp(self, input: Array, *weights: Array, **upstreams: Array) -> dict[str, Array]:
        kept = {name: array * (name == "query") for name, array in upstreams.items()}
        return super().qkv_projection_vjp(input, *weights, **kept)


export(globals(), Twin())
