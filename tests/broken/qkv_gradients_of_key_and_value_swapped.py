"""The gradients of the key and value weights are swapped."""

from ordinary import Array, Ordinary, export

BUG_KIND = "L2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.10",)


class Twin(Ordinary):
    def qkv_projection_vjp(self, input: Array, *weights: Array, **upstreams: Array) -> dict[str, Array]:
        found = super().qkv_projection_vjp(input, *weights, **upstreams)
        return {**found, "key_weight": found["value_weight"], "value_weight": found["key_weight"]}


export(globals(), Twin())
