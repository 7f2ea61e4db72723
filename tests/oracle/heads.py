"""Scores and heads on real numbers: S = Q Kᵀ / √d_k, A = softmax(S), O = A V, and their gradients."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, arb_mat

from oracle.balls import Balls, Enclosed, Times, Upstream, from_matrices, zeros
from oracle.formulas import causal_mask, softmax, softmax_gradient


def scale_of(query: Balls) -> arb:
    return 1 / arb(query.shape[2]).sqrt()


def scaled_scores(query: Balls, key: Balls, times: Times) -> dict[str, Enclosed]:
    raw, scale = _raw_scores(query, key, times), scale_of(query)
    return _scores(query, raw, scale)


def scaled_scores_gradients(query: Balls, key: Balls, upstream: Upstream, times: Times) -> dict[str, Balls]:
    scale, given = scale_of(query), _given(query, upstream)
    flows = [raw + scaled * scale for raw, scaled in zip(given["raw_scores"], given["scaled_scores"], strict=True)]
    return _query_and_key(query, key, flows, times)


@dataclass(frozen=True)
class Head:
    """The head with every key visible, or the causal one."""

    causal: bool

    def outputs(self, query: Balls, key: Balls, value: Balls, times: Times) -> dict[str, Enclosed]:
        raw, scale = _raw_scores(query, key, times), scale_of(query)
        weights = [softmax(matrix * scale, self.causal) for matrix in raw]
        mixtures = map(times, weights, value.matrices())
        square = (*query.shape[:2], query.shape[1])
        outputs = _scores(query, raw, scale) | {
            "output": from_matrices((*query.shape[:2], value.shape[2]), mixtures),
            "probabilities": from_matrices(square, weights),
        }
        return outputs | (causal_mask(query.shape[1]) if self.causal else {})

    def gradients(self, query: Balls, key: Balls, value: Balls, upstream: Upstream, times: Times) -> dict[str, Balls]:
        raw, scale, given = _raw_scores(query, key, times), scale_of(query), _given(query, upstream)
        d_output = upstream.get("output", zeros((*query.shape[:2], value.shape[2]))).matrices()
        flows, to_value = [], []
        for at, content in enumerate(value.matrices()):
            weights = softmax(raw[at] * scale, self.causal)
            d_weights = given["probabilities"][at] + times(d_output[at], content.transpose())
            d_scaled = given["scaled_scores"][at] + softmax_gradient(weights, d_weights, self.causal)
            flows.append(given["raw_scores"][at] + d_scaled * scale)
            to_value.append(times(weights.transpose(), d_output[at]))
        return _query_and_key(query, key, flows, times) | {"value": from_matrices(value.shape, to_value)}


def _raw_scores(query: Balls, key: Balls, times: Times) -> list[arb_mat]:
    return [times(q, k.transpose()) for q, k in zip(query.matrices(), key.matrices(), strict=True)]


def _scores(query: Balls, raw: list[arb_mat], scale: arb) -> dict[str, Enclosed]:
    square = (*query.shape[:2], query.shape[1])
    return {
        "raw_scores": from_matrices(square, raw),
        "scaled_scores": from_matrices(square, (matrix * scale for matrix in raw)),
        "scale": Balls((), [scale]),
    }


def _given(query: Balls, upstream: Upstream) -> dict[str, list[arb_mat]]:
    """The upstreams of the intermediates, zeros where none is named."""
    nothing = zeros((*query.shape[:2], query.shape[1]))
    names = ("raw_scores", "scaled_scores", "probabilities")
    return {name: upstream.get(name, nothing).matrices() for name in names}


def _query_and_key(query: Balls, key: Balls, flows: list[arb_mat], times: Times) -> dict[str, Balls]:
    to_query = (times(flow, k) for flow, k in zip(flows, key.matrices(), strict=True))
    to_key = (times(flow.transpose(), q) for flow, q in zip(flows, query.matrices(), strict=True))
    return {"query": from_matrices(query.shape, to_query), "key": from_matrices(key.shape, to_key)}
