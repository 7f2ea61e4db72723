"""The second reference in plain Python behind the ordinary checks: correct in every bit."""

from copies import plain_copy
from ordinary import export

LEVEL = "bits"
PROFILES = ("core", "strict", "init", "finite")

export(globals(), plain_copy())
