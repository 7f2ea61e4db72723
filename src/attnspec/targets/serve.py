"""`python -m attnspec.targets.serve TARGET`: a Python target on the other end of the protocol."""

from __future__ import annotations

import json
import os
import sys
from typing import TextIO

from attnspec.conformance.protocol import declaration_line, read_request, reply_line
from attnspec.conformance.target import TargetFault, ask
from attnspec.numeric.self_check import MachineError, check_machine
from attnspec.targets.loading import load_any


def main(arguments: list[str]) -> int:
    """Answer messages until `stop` or the end of the input; what the target prints goes to standard error."""
    replies = _private_output()
    try:
        target = load_any(arguments[0])
        check_machine()
    except (TargetFault, MachineError) as fault:
        print(json.dumps({"fault": str(fault)}), file=replies, flush=True)
        return 2
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            break
        if message["cmd"] == "start":
            replies.write(declaration_line(target.declaration))
        else:
            replies.write(reply_line(message["id"], ask(target, read_request(message))))
        replies.flush()
    return 0


def _private_output() -> TextIO:
    """Keep standard output for replies, and send everything that is printed to standard error."""
    private = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return private


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
