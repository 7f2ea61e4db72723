"""Compare a tensor with the truth within bounds, and say what share of them was used (conformance)."""

from __future__ import annotations

import numpy as np

from attnspec.conformance.judges import Judgement
from attnspec.conformance.rounding import FloatArray
from attnspec.corpus.mismatch import Mismatch, steps_between
from attnspec.corpus.request import Array, Value
from attnspec.numeric.formats import FORMATS, FloatFormat


def compare_tensors(
    judgement: Judgement,
    name: str,
    truth: Array,
    got: Value,
    bound: FloatArray,
    form: FloatFormat = FORMATS["float64"],
) -> None:
    """Add to a judgement where `got` is further from the truth than its bound; equal elements are always right.

    Elements whose bound is infinite are not compared, and the judgement says how many there were. Distances in
    ulps are steps of `form`.
    """
    if not isinstance(got, np.ndarray):
        judgement.findings.append(Mismatch(name, (), f"a tensor of shape {list(truth.shape)}", repr(got)))
        return
    if got.shape != truth.shape or got.dtype != truth.dtype:
        expected, found = (f"{array.dtype} of shape {list(array.shape)}" for array in (truth, got))
        judgement.findings.append(Mismatch(name, (), expected, found))
        return
    with np.errstate(all="ignore"):
        equal = (got == truth) | (np.isnan(got) & np.isnan(truth))
        distance = np.where(equal, 0.0, np.abs(got - truth))
        known = np.isfinite(bound)
        beyond = known & ~(distance <= bound)
        share = np.where(known & ~beyond & (bound > 0.0), distance / bound, 0.0)
    judgement.compared = judgement.compared or bool(known.any()) or known.size == 0
    if beyond.any():
        judgement.findings.append(_worst(name, truth, got, bound, distance, beyond, form))
    if not known.all():
        judgement.remarks.append(
            f"the bound says nothing of {int((~known).sum())} of {known.size} elements of {name}: "
            "an admitted order may overflow there, or rounding may do anything"
        )
    if share.size and share.max() > 0.0:
        _note_share(judgement, truth, got, share, form)


def _worst(
    name: str,
    truth: Array,
    got: Array,
    bound: FloatArray,
    distance: FloatArray,
    beyond: Array,
    form: FloatFormat,
) -> Mismatch:
    """Return the element that is furthest beyond its bound."""
    with np.errstate(all="ignore"):
        excess = np.where(beyond, np.nan_to_num(distance / bound, nan=np.inf), -1.0)
    index = tuple(map(int, np.unravel_index(int(np.argmax(excess)), excess.shape)))
    expected, found = float(truth[index]), float(got[index])
    others = int(beyond.sum()) - 1
    return Mismatch(
        name,
        index,
        repr(expected),
        repr(found),
        steps_between(expected, found, form),
        f"and {others:,} more of {beyond.size:,}" if others else "",
        float(bound[index]),
        float(excess[index]) if np.isfinite(distance[index]) and bound[index] > 0.0 else None,
    )


def _note_share(judgement: Judgement, truth: Array, got: Array, share: FloatArray, form: FloatFormat) -> None:
    index = np.unravel_index(int(np.argmax(share)), share.shape)
    if judgement.share is None or share[index] > judgement.share:
        judgement.share = float(share[index])
        judgement.ulps = steps_between(float(truth[index]), float(got[index]), form)
