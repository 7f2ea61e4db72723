"""The input adds up what the branches send back in the order value, key, query."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("qkv_projection.9",)


plain = plain_copy()


def joined(parts: list[Any]) -> Any:
    return right(parts[::-1])


right = plain.projections.joined


plain.projections.joined = joined

export(globals(), plain)
