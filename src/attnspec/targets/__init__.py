"""What can be checked: the reference, and one small module per framework."""
