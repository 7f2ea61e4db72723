"""Names are compared by their first 255 bytes."""

from ordinary import Given, Ordinary, export

BUG_KIND = "names"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("parameter_names.9",)


class Twin(Ordinary):
    def check_duplicates(self, given: Given) -> None:
        super().check_duplicates({"names": [name[:255] for name in given["names"]]})


export(globals(), Twin())
