"""The ordinary implementation as it is: correct within the error bounds, though hardly ever in every bit."""

from ordinary import Ordinary, export

LEVEL = "bound"
PROFILES = ("core", "strict", "init", "large")

export(globals(), Ordinary())
