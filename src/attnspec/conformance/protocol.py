"""The messages between the judge and a target in another process: JSON, one line each (conformance).

start  {"cmd": "start", "format": 1}
       {"format": 1, "name": ..., "version": ..., "operations": [...], "dtypes": [...], ...}
run    {"cmd": "run", "id": 7, "operation": ..., "inputs": {...}, "upstream": {...}, "wants": {...}}
       {"id": 7, "outputs": {...}, "gradients": {...}}, or `rejected`, `skipped`, `errored` in their place
stop   {"cmd": "stop"}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from attnspec.conformance.target import Declaration
from attnspec.corpus.request import Answered, Errored, Refused, Reply, Request, Skipped, Value
from attnspec.corpus.values import decode, encode
from attnspec.corpus.vocabulary import OPERATIONS

FORMAT = 1
_NOT_FINITE = {".inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}
_VERDICTS = ("outputs", "rejected", "skipped", "errored")


class ProtocolFault(Exception):
    """A line that is no message; the text says what was wrong with it."""


def start_line() -> str:
    """Return the first message to a target."""
    return _line({"cmd": "start", "format": FORMAT})


def stop_line() -> str:
    """Return the last message to a target."""
    return _line({"cmd": "stop"})


def run_line(number: int, request: Request) -> str:
    """Return the message that asks a request; `wants` names everything that would be compared."""
    operation = OPERATIONS[request.operation]
    gradients = list(operation.gradients) if request.upstream else []
    message: dict[str, Any] = {
        "cmd": "run",
        "id": number,
        "operation": request.operation,
        "inputs": {name: encode(value) for name, value in request.inputs.items()},
        "upstream": {name: encode(array) for name, array in request.upstream.items()},
        "wants": {"outputs": list(operation.outputs), "gradients": gradients},
    }
    return _line(message | ({"released": list(request.released)} if request.released else {}))


def read_declaration(line: str) -> Declaration:
    """Return what a target declared; ProtocolFault where it speaks another format or none."""
    message = _message(line)
    if "fault" in message:
        raise ProtocolFault(str(message["fault"]))
    if message.get("format") != FORMAT:
        raise ProtocolFault(f"format {message.get('format')!r}, this attnspec speaks {FORMAT}")
    if not isinstance(message.get("name"), str):
        raise ProtocolFault("the target does not say its name")
    default = Declaration(message["name"])
    return Declaration(
        name=default.name,
        version=str(message.get("version", "")),
        operations=tuple(message.get("operations", default.operations)),
        dtypes=tuple(message.get("dtypes", default.dtypes)),
        accumulates=str(message.get("accumulates", default.accumulates)),
        exp_ulps=message.get("exp_ulps", default.exp_ulps),
        layout=str(message.get("layout", default.layout)),
        has_tape=bool(message.get("has_tape", False)),
        has_details=bool(message.get("has_details", False)),
    )


def declaration_line(declaration: Declaration) -> str:
    """Return the message with which a target answers `start`."""
    fields = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(declaration).items()}
    return _line({"format": FORMAT, **fields})


def read_request(message: Mapping[str, Any]) -> Request:
    """Return the request of a `run` message."""
    return Request(
        message["operation"],
        {name: decode(form) for name, form in message["inputs"].items()},
        {name: np.asarray(decode(form)) for name, form in message.get("upstream", {}).items()},
        tuple(message.get("released", ())),
    )


def reply_line(number: int, reply: Reply) -> str:
    """Return the message that answers a `run`."""
    match reply:
        case Answered():
            body: dict[str, Any] = {
                "outputs": {name: encode(value) for name, value in reply.outputs.items()},
                "gradients": {name: encode(array) for name, array in reply.gradients.items()},
                "no_gradients": reply.no_gradients,
                "faults": list(reply.faults),
            }
        case Refused():
            body = {"rejected": reply.code, "details": _plain(reply.details), "message": reply.message}
        case Skipped():
            body = {"skipped": reply.reason}
        case Errored():
            body = {"errored": reply.message}
    return _line({"id": number, **body})


def read_reply(line: str, number: int) -> Reply:
    """Return a target's reply to the run of this number; ProtocolFault says what was wrong with the line."""
    message = _message(line)
    if message.get("id") != number:
        raise ProtocolFault(f"id {message.get('id')!r}, expected {number}")
    told = [name for name in _VERDICTS if name in message]
    if len(told) != 1:
        raise ProtocolFault(f"expected one of {', '.join(_VERDICTS)}; got {', '.join(told) or 'none'}")
    if told == ["rejected"]:
        code, details = message["rejected"], _numbers(message.get("details") or {})
        return Refused(code if isinstance(code, str) else None, details, str(message.get("message", "")))
    if told == ["skipped"]:
        return Skipped(str(message["skipped"]))
    if told == ["errored"]:
        return Errored(str(message["errored"]))
    gradients = _values("gradients", message.get("gradients") or {})
    return Answered(
        _values("outputs", message["outputs"]),
        {name: np.asarray(value) for name, value in gradients.items()},
        str(message.get("no_gradients", "")),
        tuple(map(str, message.get("faults", ()))),
    )


def _values(part: str, forms: Any) -> dict[str, Value]:
    if not isinstance(forms, dict):
        raise ProtocolFault(f"{part} is no object of values by name")
    values = {}
    for name, form in forms.items():
        try:
            values[name] = decode(form)
        except (KeyError, TypeError, ValueError) as error:
            raise ProtocolFault(f"{part}.{name} is no value: {error}") from None
    return values


def _message(line: str) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        raise ProtocolFault(f"not JSON: {line.strip()[:80]!r}") from None
    if not isinstance(message, dict):
        raise ProtocolFault(f"not a JSON object: {line.strip()[:80]!r}")
    return message


def _plain(details: Mapping[str, object]) -> dict[str, object]:
    """Write numbers that are not finite as text, as fixtures do."""
    plain: dict[str, object] = {}
    for name, value in details.items():
        if isinstance(value, Mapping):
            plain[name] = _plain(value)
        elif isinstance(value, float) and not np.isfinite(value):
            plain[name] = next(text for text, number in _NOT_FINITE.items() if repr(number) == repr(float(value)))
        else:
            plain[name] = value
    return plain


def _numbers(details: Any) -> dict[str, object]:
    """Read numbers that are not finite back from their text."""
    if not isinstance(details, dict):
        raise ProtocolFault("details is no object")
    numbers: dict[str, object] = {}
    for name, value in details.items():
        if isinstance(value, dict):
            numbers[name] = _numbers(value)
        else:
            numbers[name] = _NOT_FINITE.get(value, value) if isinstance(value, str) else value
    return numbers


def _line(message: Mapping[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"), default=str) + "\n"
