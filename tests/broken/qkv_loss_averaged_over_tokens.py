"""The loss is a mean over batch and tokens, so every gradient is too small."""

from ordinary import Array, Ordinary, export

BUG_KIND = "loss"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.8", "qkv_projection.9", "qkv_projection.10")


class Twin(Ordinary):
    def qkv_projection_vjp(self, input: Array, *weights: Array, **upstreams: Array) -> dict[str, Array]:
        rows = max(len(self.rows(input)), 1)
        return super().qkv_projection_vjp(input, *weights, **{name: array / rows for name, array in upstreams.items()})


export(globals(), Twin())
