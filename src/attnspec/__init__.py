"""attnspec: the specification of Transformer attention that a machine can check."""

__version__ = "0.1.0"
