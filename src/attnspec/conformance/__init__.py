"""The judge: runner, verdicts, reports. It does not know the reference."""
