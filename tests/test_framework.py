"""What the targets of frameworks share, on a framework of a few lines, with differences for slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnspec.conformance.target import ask
from attnspec.corpus.request import Answered, Reply, Request
from attnspec.targets.framework import Framework
from attnspec.targets.python_target import PythonTarget

INPUT = np.array([[1.0, 2.0], [3.0, 5.0]])
WEIGHTS = {
    f"{name}_weight": np.array([[1.0, 0.0], [place, 1.0]]) for place, name in enumerate(("query", "key", "value"))
}
UPSTREAM = np.array([[1.0, -1.0], [2.0, 4.0]])


class Boxed:
    """A tensor that is no array: whoever forgets to box or to unbox is found out."""

    def __init__(self, numbers: Any) -> None:
        assert isinstance(numbers, np.ndarray)
        self.numbers = numbers

    def __matmul__(self, other: Boxed) -> Boxed:
        return Boxed(self.numbers @ other.numbers)


class ByDifferences:
    """Goes back by raising each number by 1: the slope of what is linear in each of its leaves, and exact there."""

    def __init__(self) -> None:
        self.asked: list[Callable[..., list[Boxed]]] = []
        self.framework = Framework(Boxed, lambda tensor: tensor.numbers, self.pull_back)

    def pull_back(self, function: Any, leaves: list[Boxed], upstreams: list[Boxed]) -> list[Boxed]:
        self.asked.append(function)

        def total() -> float:
            outputs = function(*leaves)
            return sum(float(np.sum(o.numbers * u.numbers)) for o, u in zip(outputs, upstreams, strict=True))

        before = total()
        gradients = [np.zeros_like(leaf.numbers) for leaf in leaves]
        for leaf, gradient in zip(leaves, gradients, strict=True):
            for place in np.ndindex(gradient.shape):
                leaf.numbers[place] += 1
                gradient[place] = total() - before
                leaf.numbers[place] -= 1
        return [Boxed(gradient) for gradient in gradients]


def branches(input: Boxed, **weights: Boxed) -> dict[str, Boxed]:
    return {name.removesuffix("_weight"): input @ weight for name, weight in weights.items()}


def mixture(query: Boxed, key: Boxed, value: Boxed) -> dict[str, Boxed]:
    return {"output": query @ key @ value, "raw_scores": query @ key}


def answer(operation: str, pair: tuple[Any, Any], inputs: dict[str, Any], **upstream: Any) -> Reply:
    """Ask a target that has one operation."""

    class Subject:
        pass

    setattr(Subject, operation, staticmethod(pair[0]))
    setattr(Subject, f"{operation}_vjp", staticmethod(pair[1]))
    return ask(PythonTarget(Subject, "boxed"), Request(operation, inputs, upstream=upstream))


def gradients(reply: Reply) -> dict[str, Any]:
    assert isinstance(reply, Answered), reply
    assert reply.faults == ()
    return {name: gradient.tolist() for name, gradient in reply.gradients.items()}


def test_each_upstream_flows_back_from_its_own_output_to_every_input() -> None:
    operation = ByDifferences().framework.operation(branches)
    reply = answer("qkv_projection", operation, {"input": INPUT, **WEIGHTS}, value=UPSTREAM, key=2 * UPSTREAM)
    assert gradients(reply) == {
        "input": (UPSTREAM @ WEIGHTS["value_weight"].T + 2 * UPSTREAM @ WEIGHTS["key_weight"].T).tolist(),
        "query_weight": [[0.0, 0.0], [0.0, 0.0]],
        "key_weight": (2 * INPUT.T @ UPSTREAM).tolist(),
        "value_weight": (INPUT.T @ UPSTREAM).tolist(),
    }
    assert isinstance(reply, Answered)
    assert {name: output.tolist() for name, output in reply.outputs.items()} == {  # type: ignore[union-attr]
        name.removesuffix("_weight"): (INPUT @ weight).tolist() for name, weight in WEIGHTS.items()
    }


def test_a_head_goes_back_from_its_output_and_says_that_it_cannot_from_its_scores() -> None:
    head = ByDifferences().framework.attention(mixture)
    query, key, value = np.array([INPUT]), np.array([UPSTREAM]), np.array([UPSTREAM.T])
    inputs = {"query": query, "key": key, "value": value}
    reply = answer("attention", head, inputs, output=np.array([UPSTREAM]))
    assert gradients(reply)["value"] == [((query @ key)[0].T @ UPSTREAM).tolist()]
    assert gradients(reply)["query"] == [(UPSTREAM @ value[0].T @ key[0].T).tolist()]
    also_of_scores = answer("attention", head, inputs, output=np.array([UPSTREAM]), raw_scores=np.array([UPSTREAM]))
    assert isinstance(also_of_scores, Answered)
    assert also_of_scores.no_gradients == "needs raw_scores_upstream"


def test_what_is_differentiated_is_the_same_function_each_time_so_that_it_is_compiled_once() -> None:
    by_differences = ByDifferences()
    _, vjp = by_differences.framework.operation(branches)
    for scale in (1.0, 2.0):
        vjp(input=scale * INPUT, **WEIGHTS, query_upstream=UPSTREAM)
    vjp(input=INPUT.copy(), **WEIGHTS, key_upstream=UPSTREAM)
    first, second, of_another_output = by_differences.asked
    assert first is second
    assert first is not of_another_output
