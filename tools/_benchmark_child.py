"""Run a command and print how long it took, the most memory it held, its status, and what it printed, as JSON.

This stands between the benchmark and the command because Linux counts what the parent holds at the start as held by
the child: here that is next to nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time


def main(words: list[str]) -> None:
    """Run the command of these words."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    kibibytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    print(json.dumps({"seconds": seconds, "mebibytes": kibibytes / 1024, "status": process.returncode, "said": text}))


if __name__ == "__main__":
    main(sys.argv[1:])
