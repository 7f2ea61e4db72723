"""An empty name is reported as an empty segment."""

from ordinary import Ordinary, export

BUG_KIND = "code"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.4", "parameter_names.11")


class Twin(Ordinary):
    def refuse_name(self, name: str) -> None:
        super().refuse_name(name or ".")


export(globals(), Twin())
