"""The command line, `attnspec COMMAND`. Commands import what they need when they run."""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, TextIO

from attnspec import __version__
from attnspec.cli.common import UsageFault
from attnspec.cli.options import DEFAULTS, JUDGING, has_own_process, processes
from attnspec.targets.built_in import BUILT_IN

if TYPE_CHECKING:
    from concurrent.futures import Executor

COMMANDS = {
    "check": "hold a target (by default the reference) to the specification",
    "compare": "say what changed between two reports of check --json",
    "list": "name the cases, or the built-in targets",
    "show": "print one case with everything that is computed in it",
    "lint": "read fixtures and say everything that is wrong with them",
    "init-target": "write a Python target that runs, to put an implementation of your own into",
}


def main(arguments: Sequence[str] | None = None, executor: Executor | None = None) -> int:
    """Run a command and return its exit status: 0 passed, 1 failed, 2 bad usage or nothing to check.

    Args:
        arguments: of the command line, without the command's own name.
        executor: asks the cases of `check`, `--jobs` of them at a time; without one, processes of our own do.
    """

    def command() -> int:
        options = _parser().parse_args(arguments)
        if options.command != "check":
            return int(_module(options.command).run(options))
        from attnspec.conformance.signals import as_interrupts

        with as_interrupts() if has_own_process(options) else nullcontext():  # one in this process takes no notice
            return _check(options, executor)

    return guarded(command)


def _check(options: argparse.Namespace, executor: Executor | None) -> int:
    if executor is not None or options.jobs == 1:
        return int(_module("check").run(options, executor))
    from attnspec.cli.workers import Workers

    with Workers(options.jobs, "attnspec.cli.asking") as workers:  # whose imports go on beside ours
        return int(_module("check").run(options, workers))


def _module(command: str) -> Any:
    """Import a command, and nothing is looked for meanwhile that could be freed: there is nothing."""
    gc.disable()
    try:
        return import_module(f"attnspec.cli.{command.replace('-', '_')}")
    finally:
        gc.enable()


def guarded(command: Callable[[], int], cut_short: int = 0) -> int:
    """Run a command; what a user, a disk or a pipe may do to it becomes one line and a status, never a traceback.

    Args:
        command: returns its status.
        cut_short: the status where the reader of the output went away before the command had its own.
    """
    status = cut_short
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without · still gets the rest
    try:
        status = command()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except UsageFault as fault:
        _say(str(fault))
        return 2
    except BrokenPipeError:  # the reader of our output had enough
        _silence(sys.stdout)
        return status
    except KeyboardInterrupt:
        _say("interrupted")
        return 130
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _say(f"{place}{error.strerror or error}")
        _silence(sys.stdout)
        return 2


def _say(line: str) -> None:
    if sys.stderr is None:
        return
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:  # nobody can be told; the status still says it
        _silence(sys.stderr)


def _silence(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, so that the interpreter's last flush cannot fail."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="attnspec", description="The specification of Transformer attention that a machine can check."
    )
    parser.add_argument("--version", action="version", version=f"attnspec {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    added = {name: commands.add_parser(name, help=text, description=text) for name, text in COMMANDS.items()}
    for name, command in added.items():
        if name not in ("compare", "init-target"):  # which read no fixtures
            command.add_argument("--corpus", metavar="DIR", help="read the fixtures from DIR (laid out as fixtures/)")
    _check_options(added["check"])
    _compare_options(added["compare"])
    _selection_option(added["list"])
    added["list"].add_argument("--targets", action="store_true", help="name the built-in targets, not the cases")
    added["list"].add_argument("--json", action="store_true", help="print a JSON array")
    added["show"].add_argument("case", metavar="CASE", help="a case id, such as causal_attention/three_tokens")
    form = added["show"].add_mutually_exclusive_group()
    form.add_argument("--bits", action="store_true", help="print bits instead of decimals")
    form.add_argument("--python", action="store_true", help="print a Python snippet that holds the case")
    added["lint"].add_argument("paths", metavar="PATH", nargs="+", help="a fixture, or a folder of fixtures")
    added["init-target"].add_argument("path", metavar="FILE.py", help="a new file")
    return parser


def _check_options(check: argparse.ArgumentParser) -> None:
    check.add_argument(
        "target",
        nargs="?",
        metavar="TARGET",
        help="FILE.py, module:attribute, cmd:COMMAND LINE, or a built-in target; nothing: the reference",
    )
    known = textwrap.wrap(", ".join(BUILT_IN), 72, break_on_hyphens=False)
    check.epilog = "built-in targets:\n  " + "\n  ".join(known)
    check.formatter_class = argparse.RawDescriptionHelpFormatter  # which leaves the names in one piece
    _selection_option(check)
    for name, settings in JUDGING.items():
        if name != "corpus":  # which every command has
            check.add_argument(f"--{name}", **settings)
    check.set_defaults(**DEFAULTS)
    check.add_argument(
        "--jobs",
        type=processes,
        default=1,
        metavar="N",
        help="ask with N processes at a time; the report is the same (1)",
    )
    check.add_argument(
        "--write-known-failures", metavar="FILE", help="write what fails as a list of known failures, for the next run"
    )
    check.add_argument("--json", metavar="FILE", help="write the report as JSON; - is standard output")
    check.add_argument("--junit", metavar="FILE", help="write the report as JUnit XML; - is standard output")
    check.add_argument("-v", "--verbose", action="store_true", help="print a line for every case")


def _compare_options(compare: argparse.ArgumentParser) -> None:
    compare.add_argument("first", metavar="A.json", help="a report: what was")
    compare.add_argument("second", metavar="B.json", help="a report: what is, or what another target did")
    compare.add_argument(
        "--factor",
        type=_factor,
        default=2.0,
        metavar="F",
        help="tell where more than F times the share of a bound was used (2)",
    )
    compare.add_argument("--json", action="store_true", help="print what changed as JSON")
    compare.add_argument("-v", "--verbose", action="store_true", help="print every change, not the first of each kind")


def _factor(text: str) -> float:
    factor = float(text)
    if not 1.0 <= factor < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: a factor of 1 or more is expected")
    return factor


def _selection_option(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-k", metavar="EXPR", dest="selection", help="parts of case ids joined by and, or, not and brackets"
    )
