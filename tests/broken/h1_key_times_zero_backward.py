"""On the way back a poisoned key at a blocked cell leaks into every query, as zero times NaN (Dao-AILab/flash-
attention#1745).
"""

from ordinary import Array, Isolated, export

BUG_KIND = "H1"
LEVEL = "bound"
PROFILES = ("isolation",)
BREAKS = ("causal_attention.11",)


class Twin(Isolated):
    def towards_query(self, d_raw: Array, key: Array) -> Array:
        return d_raw @ key


export(globals(), Twin())
