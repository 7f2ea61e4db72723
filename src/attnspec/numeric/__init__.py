"""Exact binary64 arithmetic: the same bits on every machine (arithmetic)."""
