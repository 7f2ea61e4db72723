"""The type of a NumPy array, as loose as NumPy's own signatures are about arithmetic and indexing."""

from __future__ import annotations

from typing import Any

Array = Any
