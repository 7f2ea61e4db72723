"""Leading axes are broadcast."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("matrix_product.7", "matrix_product.8")


class Twin(Ordinary):
    def check_leading_axes(self, given: Given) -> None:
        pass


export(globals(), Twin())
