"""An implementation as people write one: NumPy's exp and products, whichever order of sums comes.

It is correct, and shares no code with the reference. Every place where a real bug can live is one small
method; a broken twin is a subclass that overrides one of them.
"""

from ordinary.arrays import Array
from ordinary.checks import Checks, Given, Refusal
from ordinary.implementation import Ordinary
from ordinary.isolated import Isolated
from ordinary.surface import export

__all__ = ["Array", "Checks", "Given", "Isolated", "Ordinary", "Refusal", "export"]
