"""Show that every golden comes out bit for bit elsewhere: other processors, other NumPys, other architectures.

    python tools/check_portability.py                          this machine in every setting, oldest and newest NumPy
    python tools/check_portability.py --arch arm64,s390x       and these architectures of Debian, emulated
    python tools/check_portability.py --numpy 2.0.2 --arch ''  and this NumPy in place of oldest and newest
    python tools/check_portability.py --arch arm64 --write     and write spec/results/portability.md

Computed again is the complete output of the reference for every accepted case, a block of exponentials that takes every
way through them, and products of many tiles, whose bits come from the definitions.

This machine: NumPy chooses its code by the processor's features, and BLAS its kernel. Every choice of code that
switching features off can bring about is combined with every kernel that the machine can run and each number of
threads: one, two, and all. Features build on one another, and code compiled for one runs only where all below it are
on, so the choices are the levels: on a machine with AVX-512, four for NumPy 2.4 and sixteen for 1.26; with five
kernels of OpenBLAS and two processors that is 4 x 5 x 2 = 40 runs. Other NumPys run at every level, emulated ones as
they are.

Emulation needs qemu-user and debootstrap, which are installed where this is root on Debian. What was downloaded stays
in --cache. Status 1: a bit differs, or a platform gave no answer. Status 2: something could not be run, and
--if-available was not given.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

from _checkout import ROOT, refuse, require_checkout

require_checkout()

from _portability_page import PAGE_NAME, other_corpus, page  # noqa: E402
from _portability_places import ARCHITECTURES, NotRun, default_cache, emulated, this_machine, with_numpy  # noqa: E402
from _portability_run import Broken, Platform, Result, run  # noqa: E402
from _portability_settings import Setting, kernels_of, settings, thread_counts  # noqa: E402
from _portability_table import Outcome, document, text  # noqa: E402
from _portability_tasks import Task, block_tasks, corpus_tasks, write_requests  # noqa: E402
from attnspec.cli import guarded  # noqa: E402  (only from the checkout)
from attnspec.cli.progress import track  # noqa: E402
from attnspec.corpus.faults import FixtureFaults  # noqa: E402
from attnspec.corpus.goldens import GoldenError  # noqa: E402
from attnspec.corpus.selection import SelectionError  # noqa: E402
from attnspec.corpus.store import Corpus  # noqa: E402

PAGE = ROOT / PAGE_NAME
Asked = Platform | Result  # what will be asked, or could not even say what it is


def main(arguments: Sequence[str] | None = None) -> int:
    """Run on every platform that the options name; return 0 where every bit was equal."""
    options = _options(arguments)
    corpus = Corpus(Path(options.corpus) if options.corpus else ROOT / "fixtures", ROOT / "spec")
    if not corpus.root.is_dir():
        refuse(f"{corpus.root}: no folder of fixtures")
    source = Path(options.source).resolve()
    if not (source / "attnspec" / "__init__.py").is_file():
        refuse(f"{source}: no package attnspec in this folder; a copy of src/ is expected")
    try:
        tasks = list(corpus_tasks(corpus, options.selection))
    except (FixtureFaults, GoldenError, SelectionError) as fault:
        refuse(str(fault))
    if not tasks:
        refuse("no accepted case was chosen")
    platforms, not_run = _platforms(options, source)
    goldens = sum("#" not in task.name for task in tasks)
    results = _results(platforms, source, [*tasks, *block_tasks()])
    outcome = Outcome(goldens, corpus.hash(), results, not_run)
    _tell(outcome, options)
    return 1 if outcome.unequal else 2 if not_run and not options.if_available else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--numpy", metavar="LIST", default="oldest,newest", help="versions for environments of their own"
    )
    parser.add_argument(
        "--arch", metavar="LIST", default="", help=f"of {', '.join(ARCHITECTURES)}; arm64:sid is a suite"
    )
    parser.add_argument("--if-available", action="store_true", help="what cannot be run here is told, and no fault")
    parser.add_argument("-k", dest="selection", metavar="EXPR", help="only these cases, as in attnspec check")
    parser.add_argument("--corpus", metavar="DIR", help="another folder of fixtures")
    parser.add_argument("--source", metavar="DIR", default=str(ROOT / "src"), help="whose reference is asked")
    parser.add_argument("--cache", metavar="DIR", type=Path, default=default_cache(), help="of downloads")
    parser.add_argument("--mirror", metavar="URL", default="", help="of Debian, where apt names none")
    parser.add_argument("--json", metavar="FILE", help="everything for machines; - is standard output")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE_NAME}")
    parser.add_argument("-v", dest="each", action="store_true", help="a row for each run")
    options = parser.parse_args(arguments)
    options.numpy, options.arch = _listed(options.numpy), _listed(options.arch)
    for name in options.arch:
        if name.partition(":")[0] not in ARCHITECTURES:
            parser.error(f"--arch {name}: known are {', '.join(ARCHITECTURES)}")
    if options.json not in (None, "-") and not Path(options.json).parent.is_dir():
        parser.error(f"--json {options.json}: cannot be written: there is no such folder")
    if options.write and (options.selection or options.corpus or options.source != str(ROOT / "src")):
        parser.error("--write tells of all goldens and of these sources; leave out -k, --corpus and --source")
    return options


def _listed(words: str) -> list[str]:
    return list(dict.fromkeys(filter(None, (word.strip() for word in words.split(",")))))


def _platforms(options: argparse.Namespace, source: Path) -> tuple[list[Asked], list[tuple[str, str]]]:
    """Return what will be run or gave no answer already, and what cannot be run."""
    found = list(_of_this_machine(source))
    not_run = []
    places: list[tuple[str, Callable[[], Iterator[Asked]]]] = [
        *((f"NumPy {one}", lambda one=one: _levels(with_numpy(one, options.cache), source)) for one in options.numpy),
        *((one, lambda one=one: iter([emulated(one, options.cache, options.mirror)])) for one in options.arch),
    ]
    for name, made in track(places, len(places), "other platforms set up"):
        try:
            found += made()
        except NotRun as missing:
            not_run.append((name, str(missing)))
    return found, not_run


def _of_this_machine(source: Path) -> Iterator[Asked]:
    """Yield this Python in every setting."""
    here = Platform(this_machine(), (sys.executable,))
    try:
        features = here.run(source)[0]["features"]
    except Broken as broken:
        yield Result(here, fault=str(broken))
        return
    named = [replace(here, setting=Setting(kernel=kernel)) for kernel in kernels_of(platform.machine())]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runnable = list(pool.map(lambda one: _can_be_run(one, source), named))
    kernels = [one.setting.kernel for one, can in zip(named, runnable, strict=True) if can]
    for setting in settings(features, kernels, thread_counts()):
        yield replace(here, setting=setting)


def _levels(other: Platform, source: Path) -> Iterator[Asked]:
    """Yield another NumPy at every level of the processor's features."""
    try:
        features = other.run(source)[0]["features"]
    except Broken as broken:
        yield Result(other, fault=str(broken))
        return
    for setting in settings(features, (), ()):
        yield replace(other, setting=setting)


def _can_be_run(one: Platform, source: Path) -> bool:
    """Say whether BLAS has this kernel for this machine: it gives another one, or dies, where it has not."""
    try:
        one.run(source)
    except Broken:
        return False
    return True


def _results(platforms: Sequence[Asked], source: Path, tasks: Sequence[Task]) -> list[Result]:
    """Return what came of each platform, in their order; the slow ones at the end begin first."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        requests = Path(folder) / "requests"
        write_requests(tasks, requests)

        def asked(one: Asked) -> Result:
            return one if isinstance(one, Result) else run(one, source, tasks, requests)

        waiting = [pool.submit(asked, one) for one in reversed(platforms)]
        try:
            for _ in track(as_completed(waiting), len(waiting), "runs"):
                pass
        finally:
            pool.shutdown(cancel_futures=True)
        return [one.result() for one in reversed(waiting)]


def _tell(outcome: Outcome, options: argparse.Namespace) -> None:
    if options.json != "-":
        print(*text(outcome, options.each), sep="\n")
        if not (options.selection or options.corpus or options.write) and (older := other_corpus(PAGE, outcome)):
            print(f"{older}; --write renews it")  # no fault: the page says so itself, and takes long to write
    if options.json:
        told = json.dumps(document(outcome), indent=1) + "\n"
        sys.stdout.write(told) if options.json == "-" else Path(options.json).write_text(told, encoding="utf-8")
    if options.write:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(outcome, options.numpy, options.arch), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(guarded(main, cut_short=1))
