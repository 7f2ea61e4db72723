"""Every element takes two draws and uses the second."""

from ordinary import Array, Ordinary, export

BUG_KIND = "xavier"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.1", "xavier_uniform.5")


class Twin(Ordinary):
    def draws(self, seed: int, count: int) -> Array:
        return super().draws(seed, 2 * count)[1::2]


export(globals(), Twin())
