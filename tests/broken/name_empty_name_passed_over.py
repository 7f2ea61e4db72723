"""An empty name is passed over."""

from ordinary import Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.4", "parameter_names.11", "qkv_parameters.6")


class Twin(Ordinary):
    def refuse_name(self, name: str) -> None:
        super().refuse_name(name or "empty")


export(globals(), Twin())
