"""`python -m attnspec.targets.serve TARGET`: a Python target on the other end of the protocol (conformance)."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

from attnspec.conformance.json_lines import ProtocolFault, field, read
from attnspec.conformance.protocol import declaration_line, fault_line, only_wanted, read_request, reply_line
from attnspec.conformance.target import Target, TargetFault, ask
from attnspec.numeric.self_check import MachineError, check_machine
from attnspec.targets.loading import load_any

_BUFFER = 2**20


def main(arguments: list[str]) -> int:
    """Answer messages until `stop` or the end of the input; what the target prints goes to standard error."""
    requests, replies = _private_streams()
    try:
        target = load_any(arguments[0])
        check_machine()
    except (TargetFault, MachineError) as fault:
        replies.write(fault_line(str(fault)))
        replies.flush()
        return 2
    for line in requests:
        answer = answer_line(target, line)
        if not answer:
            break
        replies.write(answer)
        replies.flush()
    return 0


def answer_line(target: Target, line: bytes) -> bytes:
    """Return the line that answers a message; an empty one to `stop`."""
    try:
        message = read(line)
        match field(message, "cmd", str):
            case "start":
                return declaration_line(target.declaration)
            case "run":
                number = field(message, "id", int)
                return reply_line(number, only_wanted(ask(target, read_request(message)), message))
            case "stop":
                return b""
            case other:
                return fault_line(f"cmd {other!r:.60}; start, run or stop is expected")
    except ProtocolFault as fault:
        return fault_line(str(fault))


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep standard input and output for messages; the target prints to standard error and reads nothing."""
    requests, replies = os.fdopen(os.dup(0), "rb", _BUFFER), os.fdopen(os.dup(1), "wb", _BUFFER)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return requests, replies


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
