"""A small tape with reverse mode (tape)."""
