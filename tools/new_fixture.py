"""Begin a fixture: `python tools/new_fixture.py causal_attention/my_case` writes its skeleton.

The skeleton is well formed and not yet true: its inputs are zeros, its expectations `.nan`, which no result equals.
`topic/rejected/fault` begins a rejected case.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import fields

from _checkout import refuse, require_checkout

ROOT = require_checkout()

from attnspec.corpus.vocabulary import OPERATIONS, Kind, Operation  # noqa: E402  (only from the checkout)
from attnspec.errors import ERRORS  # noqa: E402

CASE_ID = re.compile(r"([a-z0-9_]+)/(rejected/)?([a-z0-9_]+)", re.ASCII)
SIZES = {"B": 1, "T": 3}
OTHER_SIZE = 2
PLAIN = {"names": "[decoder.block.0.weight]", "text": "decoder.block.0.attention", "boolean": "true"}
PLACEHOLDERS = {"str": "name", "tuple[int, ...]": "[0]", "SpecificationError": "{error: no_tokens, details: {}}"}
THREE_NAMES = "[attention.query.weight, attention.key.weight, attention.value.weight]"


def main() -> None:
    """Write the skeleton of the case that the command line names; leave with status 2 where that cannot be."""
    parser = argparse.ArgumentParser(description="Write the skeleton of a fixture.", allow_abbrev=False)
    parser.add_argument("case", help="its id: topic/name, or topic/rejected/fault")
    case = parser.parse_args().case
    match = CASE_ID.fullmatch(case)
    if match is None:
        refuse(f"{case!r} is no case id: topic/name or topic/rejected/fault, of a-z, 0-9 and _")
    topic, rejected, name = match.groups()
    if topic not in OPERATIONS:
        refuse(f"{topic!r} is no operation; one of: {', '.join(OPERATIONS)}")
    if name == "rejected":
        refuse(f"{case!r}: 'rejected' is the folder of what is refused; add the fault: {topic}/rejected/fault")
    path = ROOT / "fixtures" / f"{case}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in skeleton(OPERATIONS[topic], name if rejected else None))
    except FileExistsError:
        refuse(f"fixtures/{case}.yaml is already there; it stays as it is")
    print(f"wrote fixtures/{case}.yaml; fill it in, then: python tools/regenerate_goldens.py && pytest -k {case}")


def skeleton(operation: Operation, fault: str | None) -> Iterator[str]:
    """The lines of a fixture, accepted or (with the fault it is named after) rejected."""
    yield "about: Say in a sentence or two why this case exists."
    yield f"operation: {operation.name}"
    yield f"profile: {'strict' if fault else 'core'}"
    yield f"clauses: [{operation.name}.1]"
    yield "source: worked by hand"
    yield from _block("inputs", operation.inputs)
    if fault is not None:
        yield from _rejects(fault)
        return
    outputs = {name: operation.outputs[name] for name in operation.required}
    if operation.gradients:
        yield from _block("upstream", outputs)
    yield from _block("expect", outputs, number=".nan")
    if operation.gradients:
        yield from _block("  gradients", {name: operation.inputs[name] for name in operation.gradients}, number=".nan")


def _block(key: str, values: dict[str, Kind], number: str = "0") -> Iterator[str]:
    indent = " " * (len(key) - len(key.lstrip()) + 2)
    yield f"{key}:"
    for name, kind in values.items():
        sizes = f"  # [{', '.join(kind.sizes)}]" if kind.sizes else ""
        three = kind.element == "names" and "query_weight" in values
        yield f"{indent}{name}: {THREE_NAMES if three else _filled(kind, number)}{sizes}"


def _filled(kind: Kind, number: str) -> str:
    if kind.sizes is None:
        return PLAIN.get(kind.element, str(OTHER_SIZE))
    sizes = [OTHER_SIZE] if kind.sizes == ("...",) else [SIZES.get(s, OTHER_SIZE) for s in kind.sizes if s != "..."]
    text = number if kind.element == "float64" else "0"
    for size in reversed(sizes):
        text = f"[{', '.join([text] * size)}]"
    return text


def _rejects(fault: str) -> Iterator[str]:
    """`rejects` with the fields of the error that the fault is named after, or with its code left to say."""
    yield "rejects:"
    yield f"  error: {fault}"
    known = fields(ERRORS[fault]) if fault in ERRORS else ()  # type: ignore[arg-type]
    details = (f"{field.name}: {PLACEHOLDERS.get(str(field.type), '0')}" for field in known)
    yield f"  details: {{{', '.join(details)}}}"


if __name__ == "__main__":
    main()
