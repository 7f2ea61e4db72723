"""A value of another width than the key is refused."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "width"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.4", "causal_attention.4")


class Twin(Ordinary):
    def check_value_width(self, given: Given) -> None:
        super().check_value_width(given)
        if given.get("value", given["key"]).shape[2] != given["key"].shape[2]:
            raise Refusal("width_mismatch", query=given["key"].shape[2], key=given["value"].shape[2])


export(globals(), Twin())
