"""A corpus of six cases, for tests of what goes around a run."""

from __future__ import annotations

import shutil
from pathlib import Path

from corpus_cases import ROOT

CASES = [
    "causal_mask/four_tokens",
    "causal_mask/one_token",
    "causal_softmax/all_tied",
    "causal_softmax/three_tokens",
    "matrix_product/rejected/inner_width",
    "splitmix64/seed_zero",
]
"""All of the profile core, but for the last."""

CORRECT = ROOT / "tests" / "broken" / "correct.py"
AHEAD = ROOT / "tests" / "broken" / "c1_one_ahead.py"
AHEAD_FAILS = ["causal_mask/four_tokens", "causal_softmax/all_tied", "causal_softmax/three_tokens"]


def make_small_corpus(folder: Path) -> Path:
    """Copy the cases into a folder, and return it."""
    for case in CASES:
        for path in (ROOT / "fixtures" / case).parent.glob(f"{case.rsplit('/', 1)[1]}.*"):
            place = folder / path.relative_to(ROOT / "fixtures")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    return folder
