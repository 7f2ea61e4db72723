"""The vocabulary, the strict reader, fixtures, laws and goldens."""
