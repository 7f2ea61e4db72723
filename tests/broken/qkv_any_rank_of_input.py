"""An input of any rank is accepted, as a linear projection alone would."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_projection.16", "qkv_projection.18")


class Twin(Ordinary):
    def check_sequence_rank(self, given: Given) -> None:
        pass


export(globals(), Twin())
