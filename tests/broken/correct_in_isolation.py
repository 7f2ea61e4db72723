"""The ordinary implementation that refuses no number: what stands in a blocked key or value reaches no other row."""

from ordinary import Isolated, export

LEVEL = "bound"
PROFILES = ("core", "isolation")

export(globals(), Isolated())
