"""The columns are looked at before the rows."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("xavier_uniform.8", "linear_projection.13")


class Twin(Ordinary):
    ORDER = Ordinary.reordered(xavier_uniform=("fan_out", "fan_in"))

    def refuse_widths(self, fan_in: int, fan_out: int) -> None:
        self.check_fan_out({"fan_out": fan_out})
        self.check_fan_in({"fan_in": fan_in})


export(globals(), Twin())
