"""Other platforms for check_portability.py: environments with another NumPy, and Debian's other architectures."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from _checkout import ROOT
from _portability_run import Platform

INCLUDED = "python3-minimal,python3-numpy"
TIMEOUT = 3600.0  # seconds for an emulated platform
ARCHITECTURES = {
    "amd64": ("stable", "x86_64", ("-cpu", "max")),
    "arm64": (
        "stable",
        "aarch64",
        ("-cpu", "cortex-a57"),
    ),  # the default emulates pointer signatures, eight times slower
    "armhf": ("stable", "arm", ()),
    "ppc64el": ("forky", "ppc64le", ()),
    "riscv64": ("stable", "riscv64", ()),
    "s390x": ("forky", "s390x", ()),
}
"""Debian's names: the suite that is taken where none is named, qemu's name, and its options."""
_PACKAGES = ("qemu-user-static", "debootstrap", "debian-archive-keyring")


class NotRun(Exception):
    """What cannot be run here; the message is one line that says what is missing."""


def default_cache() -> Path:
    """Return the folder that keeps downloads."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attnspec"


def this_machine() -> str:
    """Return what the table calls this machine."""
    return f"{platform.system()} {platform.machine()}"


def oldest_numpy() -> str:
    """Return the version that pyproject.toml has as the lower bound."""
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    (bound,) = (found[1] for need in needs if (found := re.fullmatch(r"numpy>=([0-9.]+)", need)))
    return str(bound)


def with_numpy(version: str, cache: Path) -> Platform:
    """Return this Python in an environment of its own that holds one NumPy and nothing else.

    Args:
        version: as pip knows it, `oldest` or `newest`.
        cache: keeps the environment.

    Raises:
        NotRun: pip is missing, or finds no such version for this Python.
    """
    exact = oldest_numpy() if version == "oldest" else version
    folder = cache / f"numpy-{exact}-{sys.implementation.cache_tag}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = "numpy" if version == "newest" else f"numpy=={exact}"
    with _made_whole(folder) as draft:
        if draft is not None:
            _call([sys.executable, "-m", "venv", "--without-pip", str(draft)])
            _install(draft / python.relative_to(folder), wanted)
    if version == "newest":
        _install(python, wanted)
    named = f"{version} NumPy" if version in ("oldest", "newest") else f"NumPy {version}"
    return Platform(f"{this_machine()}, {named}", (str(python),))


def _install(python: Path, wanted: str) -> None:
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--upgrade", wanted]
    _call([*command, "--only-binary", ":all:", "--disable-pip-version-check"])


def emulated(name: str, cache: Path, mirror: str = "") -> Platform:
    """Return Debian's Python and NumPy of another architecture under user-mode emulation: no chroot, no binfmt.

    Args:
        name: `arm64`, or `arm64:SUITE`.
        cache: keeps the unpacked packages.
        mirror: where Debian's packages come from; nothing: where apt takes them from.

    Raises:
        NotRun: a tool or the mirror is missing, or the packages could not be fetched.
    """
    architecture, _, suite = name.partition(":")
    usual, machine, options = ARCHITECTURES[architecture]
    suite = suite or usual
    root = cache / f"debian-{architecture}-{suite}"
    emulator = _tool(f"qemu-{machine}-static", f"qemu-{machine}")
    with _made_whole(root) as draft:
        if draft is not None:
            _unpack(draft, architecture, suite, mirror or _mirror())
    (python,) = (path for path in (root / "usr/bin").iterdir() if re.fullmatch(r"python3\.[0-9]+", path.name))
    libraries = next((root / "usr/lib").glob("*-linux-gnu*"))
    told = {
        "PYTHONHOME": root / "usr",
        "LD_LIBRARY_PATH": ":".join(map(str, (libraries, libraries / "blas", libraries / "lapack"))),
    }
    set_there = [word for name, value in told.items() for word in ("-E", f"{name}={value}")]
    version = _call([emulator, "--version"]).split()[2]
    return Platform(
        f"{architecture}, Debian {(root / 'etc/debian_version').read_text().strip()}, qemu {version}",
        (emulator, *options, "-L", str(root), *set_there, str(python)),
        (str(root / "usr/lib/python3/dist-packages"),),
        {"PYTHONPYCACHEPREFIX": str(cache / f"compiled-{root.name}")},
        timeout=TIMEOUT,
    )


def _unpack(root: Path, architecture: str, suite: str, mirror: str) -> None:
    debootstrap = _tool("debootstrap")
    if os.geteuid() != 0:
        raise NotRun("debootstrap fetches packages for root only; once they are there, anybody can run them")
    with tempfile.TemporaryDirectory(dir=root.parent) as folder:
        command = [debootstrap, "--download-only", "--variant=minbase", f"--arch={architecture}"]
        script = [] if Path(f"/usr/share/debootstrap/scripts/{suite}").exists() else ["sid"]
        _call([*command, f"--include={INCLUDED}", suite, folder, mirror, *script])
        for package in sorted(Path(folder, "var/cache/apt/archives").glob("*.deb")):
            _call(["dpkg-deb", "-x", str(package), str(root)])


def _tool(*names: str) -> str:
    """Return the first of some programs that is there; install it where this is root on Debian."""
    for attempt in (False, True):
        found = next(filter(None, map(shutil.which, names)), None)
        if found is not None:
            return found
        if attempt or os.name == "nt" or os.geteuid() != 0 or shutil.which("apt-get") is None:
            break
        _apt()
    raise NotRun(f"{names[0]} is missing; on Debian, as root: apt-get install {' '.join(_PACKAGES)}")


def _apt() -> None:
    with suppress(NotRun):  # what is known of the packages may still do
        _call(["apt-get", "update", "-qq"])
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    _call(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *_PACKAGES], environment)


def _mirror() -> str:
    """Return where apt takes Debian's packages from."""
    if shutil.which("apt-get") is None:
        raise NotRun("there is no apt-get to name a mirror of Debian; give --mirror")
    for line in _call(["apt-get", "indextargets", "--format", "$(ORIGIN) $(SITE)", "Created-By: Packages"]).split("\n"):
        origin, _, site = line.partition(" ")
        if origin == "Debian" and site and not site.endswith("-security"):
            return site
    raise NotRun("apt-get names no mirror of Debian; give --mirror")


def _call(command: Sequence[str], environment: dict[str, str] | None = None) -> str:
    """Run a command and return what it prints; NotRun with the last line that it said where it fails."""
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise NotRun(f"{Path(command[0]).name} failed: {said[-1] if said else f'status {done.returncode}'}")
    return done.stdout


@contextmanager
def _made_whole(folder: Path) -> Iterator[Path | None]:
    """Give a draft to fill where the folder is not there; it takes the folder's place only when it is complete."""
    if folder.exists():
        yield None
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        draft = Path(place) / folder.name
        draft.mkdir()
        yield draft
        with suppress(OSError):  # another run was quicker
            draft.rename(folder)
