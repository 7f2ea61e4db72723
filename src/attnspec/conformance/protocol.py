"""The messages between the judge and a target in another process: JSON, one line each (conformance).

spec/schema/protocol.schema.json has the form of each, a description of every field, and what is required.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from typing import Any

import numpy as np

from attnspec.conformance.json_lines import ProtocolFault, field, numbers, plain, read, write
from attnspec.conformance.target import Declaration
from attnspec.corpus.request import Answered, Array, Errored, Refused, Reply, Request, Skipped, Value
from attnspec.corpus.shapes import output_shapes
from attnspec.corpus.values import decode, encode
from attnspec.corpus.vocabulary import OPERATIONS

FORMAT = 1
LONGEST = 2**26
"""The most bytes of a line without tensors."""

MOST_ELEMENTS = 2**25
"""The most that one answer may hold: an answer where a refusal was due may be far too large to be sent."""

_ELEMENT = 32  # bytes: digits, quotes, commas, brackets, blanks
_VERDICTS = ("outputs", "rejected", "skipped", "errored")


def start_line() -> bytes:
    """Return the first message to a target."""
    return write({"cmd": "start", "format": FORMAT})


def stop_line() -> bytes:
    """Return the last message to a target."""
    return write({"cmd": "stop"})


def run_line(number: int, request: Request) -> bytes:
    """Return the message that asks a request; `wants` names everything that would be compared."""
    operation = OPERATIONS[request.operation]
    gradients = list(operation.gradients) if request.upstream else []
    message: dict[str, Any] = {
        "cmd": "run",
        "id": number,
        "operation": request.operation,
        "inputs": _encoded(request.inputs),
        "upstream": _encoded(request.upstream),
        "wants": {"outputs": list(operation.outputs), "gradients": gradients},
    }
    return write(message | ({"released": request.released} if request.released else {}))


def longest_reply(request: Request) -> int:
    """Return the most bytes that an answer may have: room for all that is wanted, and for words."""
    given = [value for value in (*request.inputs.values(), *request.upstream.values()) if isinstance(value, np.ndarray)]
    elements = sum(value.size for value in given)  # those of the gradients, and some more
    elements += sum(map(math.prod, output_shapes(OPERATIONS[request.operation], request.inputs).values()))
    return LONGEST + _ELEMENT * elements


def read_declaration(line: bytes) -> Declaration:
    """Return what a target declared; ProtocolFault where it speaks another format or none."""
    message = _told(line)
    if message.get("format") != FORMAT or message["format"] is True:
        raise ProtocolFault(f"format {message.get('format')!r:.60}, this attnspec speaks {FORMAT}")
    if "name" not in message:
        raise ProtocolFault("the target does not say its name")
    kinds: dict[str, Any] = {
        one.name: str if one.default is MISSING else type(one.default) for one in fields(Declaration)
    }
    return Declaration(**{name: field(message, name, kind) for name, kind in kinds.items() if name in message})


def declaration_line(declaration: Declaration) -> bytes:
    """Return the message with which a target answers `start`."""
    return write({"format": FORMAT, **vars(declaration)})


def fault_line(fault: str) -> bytes:
    """Return the message of a target that cannot start, or was sent what is no message."""
    return write({"fault": fault})


def read_request(message: Mapping[str, Any]) -> Request:
    """Return the request of a `run` message; ProtocolFault says what was wrong with it."""
    name = field(message, "operation", str)
    if name not in OPERATIONS:
        raise ProtocolFault(f"operation {name!r:.60}; known: {', '.join(OPERATIONS)}")
    inputs = _values(message, "inputs", tuple(OPERATIONS[name].inputs), name)
    upstream = _tensors(message, "upstream", OPERATIONS[name].upstreams, name)
    return Request(name, inputs, upstream, field(message, "released", tuple, ()))


def only_wanted(reply: Reply, message: Mapping[str, Any]) -> Reply:
    """Return a reply without what the `run` message does not want; everything is wanted where it does not say."""
    if not isinstance(reply, Answered) or "wants" not in message:
        return reply
    wants = field(message, "wants", dict)
    outputs, gradients = field(wants, "outputs", tuple), field(wants, "gradients", tuple)
    return replace(
        reply,
        outputs={name: value for name, value in reply.outputs.items() if name in outputs},
        gradients={name: array for name, array in reply.gradients.items() if name in gradients},
    )


def reply_line(number: int, reply: Reply) -> bytes:
    """Return the message that answers a `run`."""
    body: dict[str, Any]
    match reply:
        case Answered() if (elements := _elements(reply)) > MOST_ELEMENTS:
            body = {"errored": f"answered with {elements:,} elements, of {MOST_ELEMENTS:,} at most"}
        case Answered():
            body = {"outputs": _encoded(reply.outputs), "gradients": _encoded(reply.gradients)}
            body |= {"no_gradients": reply.no_gradients} if reply.no_gradients else {}
            body |= {"faults": reply.faults} if reply.faults else {}
        case Refused():
            body = {"rejected": reply.code, "details": plain(reply.details), "message": reply.message}
        case Skipped():
            body = {"skipped": reply.reason}
        case Errored():
            body = {"errored": reply.message}
    return write({"id": number, **body})


def read_reply(line: bytes, number: int, operation: str) -> Reply:
    """Return a target's reply to the run of this number and operation; ProtocolFault says what was wrong with it."""
    message = _told(line)
    if message.get("id") != number or message["id"] is True:
        raise ProtocolFault(f"id {message.get('id')!r:.60}, expected {number}; a run is answered by one line")
    match [name for name in _VERDICTS if name in message]:
        case ["outputs"]:
            return Answered(
                _values(message, "outputs", tuple(OPERATIONS[operation].outputs), operation),
                _tensors(message, "gradients", OPERATIONS[operation].gradients, operation),
                field(message, "no_gradients", str, ""),
                field(message, "faults", tuple, ()),
            )
        case ["rejected"]:
            code = None if message["rejected"] is None else field(message, "rejected", str)
            return Refused(code, numbers(field(message, "details", dict, {})), field(message, "message", str, ""))
        case ["skipped"]:
            return Skipped(field(message, "skipped", str))
        case ["errored"]:
            return Errored(field(message, "errored", str))
        case told:
            raise ProtocolFault(f"expected one of {', '.join(_VERDICTS)}; got {', '.join(told) or 'none'}")


def _elements(reply: Answered) -> int:
    return sum(
        value.size for value in (*reply.outputs.values(), *reply.gradients.values()) if isinstance(value, np.ndarray)
    )


def _told(line: bytes) -> dict[str, Any]:
    """Return a message of a target that has no fault to tell."""
    message = read(line)
    if "fault" in message:
        raise ProtocolFault(field(message, "fault", str))
    return message


def _encoded(values: Mapping[str, Value]) -> dict[str, Any]:
    return {name: value if isinstance(value, np.ndarray) else encode(value) for name, value in values.items()}


def _values(message: Mapping[str, Any], part: str, known: tuple[str, ...], operation: str) -> dict[str, Value]:
    values = {}
    for name, form in field(message, part, dict).items():
        if name not in known:
            raise ProtocolFault(f"{part}.{name:.60}: {operation} has none; known: {', '.join(known) or 'nothing'}")
        try:
            values[name] = decode(form)
        except ValueError as error:
            raise ProtocolFault(f"{part}.{name} is no value: {error}") from None
    return values


def _tensors(message: Mapping[str, Any], part: str, known: tuple[str, ...], operation: str) -> dict[str, Array]:
    tensors = {}
    for name, value in _values({part: {}, **message}, part, known, operation).items():
        if not isinstance(value, np.ndarray):
            raise ProtocolFault(f"{part}.{name} is {value!r:.60}; a tensor is expected")
        tensors[name] = value
    return tensors
