"""Of the unmasked head the upstream of the probabilities is lost where a score has one as well."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.21",)


class Twin(Ordinary):
    def attention_vjp(self, query: Array, key: Array, value: Array, output: Array, **inner: Array) -> Any:
        kept = {name: array for name, array in inner.items() if name != "probabilities" or len(inner) == 1}
        return super().attention_vjp(query, key, value, output, **kept)


export(globals(), Twin())
