"""The unmasked head goes back only where the output or the probabilities have an upstream."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.23",)


class Twin(Ordinary):
    def attention_vjp(self, query: Array, key: Array, value: Array, output: Array, **inner: Array) -> Any:
        found = super().attention_vjp(query, key, value, output, **inner)
        return (
            {name: gradient * 0.0 for name, gradient in found.items()}
            if not output.any() and "probabilities" not in inner
            else found
        )


export(globals(), Twin())
