"""Bugs planted by changing the source of two implementations that no broken twin at the level `bound` is made of.

A bug is known where a twin has the same one in another form, and `twins` names those that would be right;
the others have no twin, and whatever is said of them is wrong.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent / "broken"))

from copies import plain_copy
from ordinary import export

from attnspec.corpus.vocabulary import OPERATIONS

HEADS = ("attention", "causal_attention")
OPERATIONS_OF = {
    "row_by_row": HEADS,
    "heads": ("scaled_scores", *HEADS),
    "softmax": (*HEADS, "causal_mask", "causal_softmax"),
    "projections": ("linear_projection", "qkv_projection"),
    "arithmetic": tuple(OPERATIONS),
}
"""What a change in a module can break."""


@dataclass(frozen=True)
class Planted:
    """A bug.

    Args:
        place: a module of the plain reference, or `row_by_row`.
        changes: what stands there, and what stands there instead; in pairs.
        twins: those with the same bug, by name; none for a bug that no twin has.
        level: at which it shows.
    """

    place: str
    changes: tuple[str, ...]
    twins: frozenset[str]
    level: str = "bound"

    @property
    def name(self) -> str:
        return f"{self.place}: {' '.join(self.changes[1].split())}"

    def target(self) -> Any:
        """Return an implementation with this bug: functions by operation."""
        if self.place == "row_by_row":
            return self._changed(_copy_of_row_by_row())
        plain = plain_copy()
        self._changed(getattr(plain, self.place))
        made = ModuleType("planted")
        export(vars(made), plain)
        return made

    def _changed(self, module: ModuleType) -> ModuleType:
        source = inspect.getsource(module)
        for there, instead in zip(self.changes[::2], self.changes[1::2], strict=True):
            assert there in source, f"{self.place}: no {there!r} to change"
            source = source.replace(there, instead)
        functions = ast.Module([node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)], [])
        lazily = annotations.compiler_flag
        exec(compile(functions, f"<{self.name}>", "exec", lazily), vars(module))
        return module


def _copy_of_row_by_row() -> ModuleType:
    kept = importlib.import_module("row_by_row")
    del sys.modules["row_by_row"]
    try:
        return importlib.import_module("row_by_row")
    finally:
        sys.modules["row_by_row"] = kept


def _known(place: str, *changes: str, twins: str) -> Planted:
    return Planted(place, changes, frozenset(twins.split()))


def _order(place: str, *changes: str, twins: str) -> Planted:
    """A known bug that is right within the bounds, and wrong in bits."""
    return Planted(place, changes, frozenset(twins.split()), "bits")


def _unknown(place: str, *changes: str) -> Planted:
    return Planted(place, changes, frozenset())


_ROOT = "1.0 / np.sqrt(width)"
_SCORE = "float(q @ k) * _scale(len(q))"
_D_SCORE = "weight * (float(upstream[b, i] @ value[b, j]) - centre)"
_CAUSAL = "range(i + 1) if causal"
_MIXED = "return mixed / total"
_RESULT = '{"query": d_query, "key": d_key, "value": d_value}'
_ALL = "denominator(exponentials, first)"
_SUM_OF_ALL = "arithmetic.total(exponentials.values()) or math.nan"

KNOWN = (
    _known("row_by_row", _ROOT, "1.0", twins="j3_scale_missing"),
    _known("row_by_row", _ROOT, "1.0 / width", twins="j4_divided_by_the_width"),
    _known(
        "row_by_row",
        "* _scale(len(q))",
        "* _now",
        "def _forward(query: Tensor, key: Tensor, value: Tensor, causal: bool) -> Tensor:",
        "def _forward(query, key, value, causal):\n    global _now\n    _now = _scale(query.shape[1])",
        "scale = _scale(query.shape[2])",
        "global _now\n    scale = _now = _scale(query.shape[1])",
        twins="j2_scale_of_the_token_count",
    ),
    _known("row_by_row", _CAUSAL, "range(min(i + 2, tokens)) if causal", twins="c1_one_ahead"),
    _known("row_by_row", _CAUSAL, "range(i) if causal", twins="c1_strict_diagonal"),
    _known("row_by_row", _CAUSAL, "range(i, tokens) if causal", twins="c2_flipped"),
    _known("row_by_row", _CAUSAL, "range(max(0, i - 1), i + 1) if causal", twins="mask_window_of_two"),
    _known("row_by_row", "key.shape[1], causal))[0]", "key.shape[1], False))[0]", twins="d1_flag_dropped_in_the_head"),
    _known(
        "row_by_row",
        "above = max(top, score)",
        "above = 0.0",
        "top, total, mixed = -np.inf",
        "top, total, mixed = 0.0",
        twins="i1_no_maximum_subtracted",
    ),
    _known("row_by_row", _SCORE, f"float(np.clip({_SCORE}, -50.0, 50.0))", twins="i2_scores_clamped"),
    _known(
        "row_by_row",
        "output[b, i] = _row",
        "output[b, i] = 1.0 / key.shape[1] * _row",
        twins="head_average_in_place_of_sum",
    ),
    _known("row_by_row", _MIXED, f"total += _exp(-top)\n    {_MIXED}", twins="softmax_one_more_in_the_denominator"),
    _known("row_by_row", _MIXED, f"total += 1e-6\n    {_MIXED}", twins="softmax_epsilon_in_the_denominator"),
    _known("row_by_row", "np.exp(x)", "np.exp2(x)", "np.log(total)", "np.log2(total)", twins="softmax_base_two"),
    _known("row_by_row", "value[b], _seen", "value[0], _seen", twins="batch_value_of_batch_0"),
    _known(
        "row_by_row",
        "(query[b, i], key[b]",
        "(query[b, i], key[0]",
        "_score(query[b, i], key[b, j])",
        "_score(query[b, i], key[0, j])",
        twins="batch_key_of_batch_0",
    ),
    _known(
        "row_by_row",
        'ValueError("the operands do not fit together")',
        'ValueError("the operands do not fit together")\n    if len(query) == 0:\n        raise ValueError("empty")',
        twins="o1_empty_batch_refused",
    ),
    _known("row_by_row", _D_SCORE, "weight * float(upstream[b, i] @ value[b, j])", twins="n2_without_the_row_term"),
    _known(
        "row_by_row",
        _D_SCORE,
        "weight * (1.0 - weight) * float(upstream[b, i] @ value[b, j])",
        twins="n2_diagonal_only",
    ),
    _known("row_by_row", "d_key[b, j] += d_score", "d_key[b, j] -= d_score", twins="n3_sign_of_the_key_gradient"),
    _known("row_by_row", "scale * query[b, i]", "query[b, i]", twins="n3_key_gradient_unscaled"),
    _known("row_by_row", "scale = _scale(query.shape[2])", "scale = 1.0", twins="n3_scale_missing_backward"),
    _known("row_by_row", "d_key[b, j] +=", "d_key[:, j] +=", twins="n4_gradients_summed_over_the_batch"),
    _known("row_by_row", "@ value[b, j])", "@ value[b, i])", twins="n3_value_of_the_same_row"),
    _known("row_by_row", "scale * key[b, j]", "key[b, j]", twins="n3_query_gradient_of_the_scaled_query"),
    _known(
        "row_by_row",
        "upstream[b, i] @ value[b, j]",
        "upstream[b, i, 0] * value[b, j, 0]",
        twins="n3_first_column_of_the_value",
    ),
    _known("heads", "1.0 / math.sqrt(float(width))", "1.0", twins="j3_scale_missing"),
    _known("heads", "math.sqrt(float(width))", "float(width)", twins="j4_divided_by_the_width"),
    _known("heads", "score * scale for score", "score * scale * scale for score", twins="scale_applied_twice"),
    _known(
        "heads",
        "    triples = ",
        "    scale = scale_of(value.shape[2])\n    triples = ",
        'd_raw.append(towards_raw(d_scaled, starts["raw_scores"][number], scale_of(query.shape[2])))',
        'd_raw.append(towards_raw(d_scaled, starts["raw_scores"][number], scale_of(value.shape[2])))',
        twins="j1_scale_of_the_value_width",
    ),
    _known("heads", "[[cell * scale for cell in row]", "[[cell for cell in row]", twins="n3_scale_missing_backward"),
    _known(
        "heads",
        "transpose_times(d, q",
        "transpose_times([list(column) for column in zip(*d)], q",
        twins="n3_key_gradient_not_transposed",
    ),
    _known("softmax", "range(row + 1) if causal", "range(min(row + 2, tokens)) if causal", twins="c1_one_ahead"),
    _known("softmax", "range(row + 1) if causal", "range(row, tokens) if causal", twins="c2_flipped"),
    _known(
        "softmax", "range(row + 1) if causal", "range(max(row - 1, 0), row + 1) if causal", twins="mask_window_of_two"
    ),
    _known(
        "softmax", "scores[key] - scores[first]", "scores[key]", _ALL, _SUM_OF_ALL, twins="i1_no_maximum_subtracted"
    ),
    _known(
        "softmax",
        "scores[key] - scores[first]",
        "(scores[key] - scores[first]) * math.log(2)",
        twins="softmax_base_two",
    ),
    _known(
        "softmax",
        "first = first_maximum(scores, keys)",
        "first = scores.index(max(scores))",
        _ALL,
        _SUM_OF_ALL,
        twins="i2_maximum_of_blocked_keys",
    ),
    _known("softmax", "1.0 + arithmetic", "2.0 + arithmetic", twins="softmax_first_maximum_counted_twice"),
    _known("softmax", "1.0 + arithmetic", "1.0 + 1e-8 + arithmetic", twins="softmax_epsilon_in_the_denominator"),
    _known("softmax", "gradient[key] - centre", "gradient[key]", twins="n2_without_the_row_term"),
    _known(
        "softmax",
        "gradient[key] - centre",
        "gradient[key] * (1.0 - probabilities[key])",
        twins="n2_diagonal_only",
    ),
    _known(
        "softmax",
        "total(probabilities[key] * gradient[key] for key in keys)",
        "total(gradient[key] / len(probabilities) for key in keys)",
        twins="n2_row_term_averaged",
    ),
    _known(
        "projections",
        "arithmetic.product(inputs.rows(), weight.rows(), columns)",
        "arithmetic.product(inputs.rows(), [list(c) for c in zip(*weight.rows())]"
        " if columns == weight.shape[0] else weight.rows(), columns)",
        twins="l1_weight_transposed_when_square",
    ),
    _known(
        "projections",
        "arithmetic.transpose_times(inputs.rows(), gradient.rows(), *weight.shape)",
        "arithmetic.transpose_times(gradient.rows(), inputs.rows(), *weight.shape)"
        " if weight.shape[0] == weight.shape[1] else"
        " arithmetic.transpose_times(inputs.rows(), gradient.rows(), *weight.shape)",
        twins="l1_weight_gradient_transposed",
    ),
    _known(
        "projections",
        "weights = (query_weight, key_weight, value_weight)",
        "weights = (key_weight, query_weight, value_weight)",
        twins="l2_query_and_key_swapped",
    ),
    _known(
        "projections",
        "weights = (query_weight, key_weight, value_weight)",
        "weights = (query_weight, key_weight, key_weight)",
        twins="l2_value_projected_with_the_key_weight",
    ),
    _known("projections", "arithmetic.total(cells)", "arithmetic.total(cells) / 3.0", twins="qkv_branches_averaged"),
    _known(
        "projections",
        "transpose_times(inputs.rows(), gradient.rows()",
        "transpose_times([[c / len(inputs.rows()) for c in r] for r in inputs.rows()], gradient.rows()",
        twins="weight_gradient_averaged",
    ),
    _known(
        "arithmetic",
        '"left": from_matrices(left.shape',
        '"right": from_matrices(left.shape',
        '"right": from_matrices(right.shape',
        '"left": from_matrices(right.shape',
        twins="product_gradients_swapped",
    ),
    _known(
        "arithmetic",
        "(product(a, b, right.shape[-1])",
        "(product([r[:-1] for r in a], b[:-1], right.shape[-1])",
        twins="product_last_column_left_out",
    ),
    _known("arithmetic", "word >> 11) * 2.0**-53", "word >> 32) * 2.0**-32", twins="draw_unit_of_32_bits"),
    _known("arithmetic", "6.0 / float(fan_in + fan_out)", "3.0 / float(fan_in)", twins="xavier_limit_of_the_fan_in"),
)

_OTHERS = "1.0 + arithmetic.total(term for key, term in exponentials.items() if key != first)"
_LOOP = "    result = 0.0\n    for term in terms:\n        result = result + term\n    return result"

KNOWN_IN_BITS = (
    _order("softmax", _OTHERS, "arithmetic.total(exponentials.values())", twins="bits_denominator_in_key_order"),
    _order(
        "softmax",
        _OTHERS,
        "arithmetic.total([1.0, *(term for key, term in exponentials.items() if key != first)])",
        twins="bits_denominator_from_one",
    ),
    _order(
        "softmax", "exponentials[key] / bottom", "exponentials[key] * (1.0 / bottom)", twins="bits_times_the_reciprocal"
    ),
    _order(
        "softmax",
        "gradient[key] for key in keys)",
        "gradient[key] for key in reversed(keys))",
        twins="bits_row_term_backwards",
    ),
    _order(
        "softmax",
        "probabilities[key] * (gradient[key] - centre)",
        "probabilities[key] * gradient[key] - probabilities[key] * centre",
        twins="bits_row_term_multiplied_out",
    ),
    _order(
        "heads",
        "score * scale for score",
        "score / math.sqrt(1.0 / (scale * scale)) for score",
        twins="bits_divided_by_the_root",
    ),
    _order(
        "heads",
        "1.0 / math.sqrt(float(width))",
        "math.sqrt(1.0 / float(width))",
        twins="bits_scale_root_of_the_inverse",
    ),
    _order("arithmetic", _LOOP, "    return math.fsum(terms)", twins="bits_sum_compensated"),
    _order("arithmetic", "for term in terms:", "for term in reversed(list(terms)):", twins="bits_sum_backwards"),
)

UNKNOWN = (
    _unknown("row_by_row", _SCORE, f"float(30.0 * np.tanh({_SCORE} / 30.0))"),
    _unknown("row_by_row", "score = _score(q, keys[j])", "score = _score(q, keys[j]) + 0.01 * j"),
    _unknown("row_by_row", "float(q @ k)", "float(abs(q @ k))"),
    _unknown("row_by_row", "float(q @ k)", "float(q @ k) / float(np.linalg.norm(q) * np.linalg.norm(k) + 1e-9)"),
    _unknown("row_by_row", _ROOT, "1.0 / np.sqrt(width + 1)"),
    _unknown("row_by_row", _ROOT, "1.0 / np.sqrt(max(width, 64))"),
    _unknown("row_by_row", _ROOT, "1.1 / np.sqrt(width)"),
    _unknown("row_by_row", "np.exp(x)", "max(0.0, 1.0 + x / 4096.0) ** 4096"),
    _unknown("row_by_row", "np.exp(x)", "np.exp(np.float32(x))"),  # has a twin, which is not shipped
    _unknown("row_by_row", "np.exp(x)", "np.float16(np.exp(x))"),
    _unknown("row_by_row", _MIXED, "return mixed.astype(np.float16) / total"),
    _unknown("row_by_row", _MIXED, f"{_MIXED} + 1e-9"),
    _unknown("row_by_row", _MIXED, f"{_MIXED} * np.nan"),
    _unknown("row_by_row", _MIXED, "return mixed * 0.0"),
    _unknown("row_by_row", _MIXED, f"{_MIXED} + values[-1]"),
    _unknown("row_by_row", _MIXED, "return mixed"),
    _unknown("row_by_row", "    output = ", "    raise TypeError('no such overload')\n    output = "),
    _unknown("row_by_row", "    output = ", "    raise ValueError('not supported')\n    output = "),
    _unknown("row_by_row", "    return output", "    return output[..., ::-1].copy()"),
    _unknown("row_by_row", "    return output", "    return output.transpose(0, 2, 1)"),
    _unknown("row_by_row", "    return output", "    output[:, -1:] = 0.0\n    return output"),
    _unknown("row_by_row", "    return output", "    return output * 0.0 + output[:1]"),
    _unknown("row_by_row", "    return output", "    return output + query.sum() * 1e-7"),
    _unknown("row_by_row", "    return output", "    return output if output.shape[1] % 2 else output * 1.001"),
    _unknown("row_by_row", "(query[b, i], key[b], value[b], _seen", "(query[-1 - b, i], key[b], value[b], _seen"),
    _unknown("row_by_row", _CAUSAL, "range(1 if i else 0, i + 1) if causal"),
    _unknown("row_by_row", _CAUSAL, "range(max(0, i - 3), i + 1) if causal"),
    _unknown("row_by_row", _CAUSAL, "range(0, i + 1, 2) if causal"),
    _unknown("row_by_row", "weight * upstream[b, i]", "2.0 * weight * upstream[b, i]"),
    _unknown("row_by_row", _RESULT, _RESULT.replace("d_query", "0.0 * d_query")),
    _unknown("row_by_row", _RESULT, _RESULT.replace("d_query", "np.clip(d_query, -1.0, 1.0)")),
    _unknown("row_by_row", _RESULT, '{"query": d_key, "key": d_query, "value": d_value}'),
    _unknown("row_by_row", _RESULT, _RESULT.replace("d_value", "d_value / max(1, len(value))")),
    _unknown("row_by_row", _RESULT, _RESULT.replace("d_key", "d_key.astype(np.float32).astype(np.float64)")),
    _unknown("row_by_row", "centre = ", "centre = 0.5 * "),
    _unknown("row_by_row", "+= weight * upstream", "+= weight * scale * upstream"),
    _unknown("heads", "math.sqrt(float(width))", "math.sqrt(float(width)) / 1.5"),
    _unknown("softmax", "exponentials[key] / bottom if", "max(exponentials[key] / bottom, 0.01) if"),
    _unknown("softmax", "exponentials[key] / bottom if", "exponentials[key] ** 2 / bottom if"),
    _unknown("softmax", "(gradient[key] - centre)", "(gradient[key] + centre)"),
    _unknown("softmax", "exp(scores[key] - scores[first])", "exp(1.0 - scores[key])"),
    _unknown(
        "projections",
        "(gradient.rows(), weight.rows())",
        "([[2.0 * c for c in r] for r in gradient.rows()], weight.rows())",
    ),
    _unknown("projections", "product(inputs.rows()", "product([r[::-1] for r in inputs.rows()]"),
    _unknown("arithmetic", "limit * (2.0", "limit * (1.9"),
    _unknown("arithmetic", "    return result\n", "    return result * (1.0 + 1e-12)\n"),
    _unknown("arithmetic", "total(a[m] * b[n]", "total(a[m] * b[n] * 1.01"),
    _unknown("arithmetic", "if x < -746.0", "if x < -40.0"),
)

UNKNOWN_IN_BITS = (
    Planted("softmax", ("1.0 + arithmetic", "(1.0 + 2.0**-52) + arithmetic"), frozenset(), "bits"),
    Planted(
        "softmax",
        ("exponentials[key] / bottom", "math.nextafter(exponentials[key] / bottom, 1.0)"),
        frozenset(),
        "bits",
    ),
    Planted("heads", ("score * scale for score", "math.nextafter(score * scale, 9e9) for score"), frozenset(), "bits"),
    Planted("arithmetic", ("if x < -746.0", "if x < -40.0"), frozenset(), "bits"),
)
