"""A product over no terms is refused in place of being zero."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.3",)


class Twin(Ordinary):
    def check_inner_width(self, given: Given) -> None:
        super().check_inner_width(given)
        if given["left"].shape[-1] == 0:
            raise Refusal("inner_width", left=0, right=0)


export(globals(), Twin())
