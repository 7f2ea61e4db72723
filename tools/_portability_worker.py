"""Answers requests on whatever platform check_portability.py looks at; needs the standard library and NumPy alone.

    python _portability_worker.py                               say what this platform is
    python _portability_worker.py REQUESTS                      and answer what a file asks, a line each
    python _portability_worker.py REQUESTS --against FOLDER     and say where tensors differ from files NUMBER.NAME.npy

The first line says what runs here, every other what came of one request: tensors as a golden holds them, without
their decimals, and large ones by their digest alone.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import platform
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import attnspec
from attnspec.conformance.json_lines import read
from attnspec.conformance.protocol import read_request
from attnspec.corpus.goldens import loss
from attnspec.corpus.request import Answered, Array, Request, Value
from attnspec.corpus.values import WHOLE_TENSOR, encode, inputs_sha256
from attnspec.numeric import tiled_product
from attnspec.numeric.binary64 import to_bits
from attnspec.numeric.self_check import check_machine
from attnspec.targets.reference import Reference

_KERNEL_NAMES = [f"{vendor}openblas_get_corename{suffix}" for vendor in ("scipy_", "") for suffix in ("64_", "")]


def main() -> None:
    """Write the answers to standard output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("requests", nargs="?", type=Path, help="messages `run` of the protocol")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="of tensors to be compared with")
    parser.add_argument("--threads", type=int, help="of a product in tiles")
    options = parser.parse_args()
    if options.threads:
        tiled_product._THREADS = options.threads
    check_machine()
    print(json.dumps(described()))
    if options.requests:
        with options.requests.open("rb") as lines:
            for line in lines:
                message = read(line)
                request, number = read_request(message), message["id"]
                said = answered(request) if options.against is None else placed(request, options.against, number)
                print(json.dumps({"id": number, **said}))


def described() -> dict[str, Any]:
    """Return what computes here, and what of it was switched on."""
    return {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "byte_order": sys.byteorder,
        "source": str(Path(attnspec.__file__).resolve().parents[1]),
        "features": _features(),
        "kernel": _kernel(),
        "threads": tiled_product._THREADS,
    }


def answered(request: Request) -> dict[str, Any]:
    """Return the digest of a request as it arrived, and the forms of all that the reference answers, by full name."""
    reply = Reference().answer(request)
    if not isinstance(reply, Answered):
        return {"inputs": inputs_sha256(request), "forms": {}, "refused": str(reply)}
    return {
        "inputs": inputs_sha256(request),
        "forms": {name: form(value) for name, value in full_names(request, reply)},
    }


def placed(request: Request, folder: Path, number: int) -> dict[str, Any]:
    """Return, for each tensor that a folder holds for this request, where it differs first and the bits there."""
    reply = Reference().answer(request)
    found = {}
    for name, value in full_names(request, reply) if isinstance(reply, Answered) else ():
        place = folder / f"{number}.{name}.npy"
        if place.exists() and isinstance(value, np.ndarray):
            index, count = first_difference(np.load(place), value)
            if count:
                found[name] = {"index": index, "count": count, "bits": to_bits(np.asarray(value[index]))[0]}
    return {"placed": found}


def first_difference(expected: Array, got: Array) -> tuple[tuple[int, ...], int]:
    """Return the first index at which two tensors of one shape have other bits, and how many there are."""
    # a file's bytes are in an order of its own, which a view as integers would take for this machine's
    native = [np.ascontiguousarray(one, one.dtype.newbyteorder("=")) for one in (expected, got)]
    patterns = [one.reshape(-1).view(f"u{one.itemsize}") for one in native]
    places = np.flatnonzero(patterns[0] != patterns[1])
    return tuple(map(int, np.unravel_index(places[0], expected.shape))) if places.size else (), len(places)


def full_names(request: Request, answer: Answered) -> Iterator[tuple[str, Value]]:
    """Yield every value of an answer under its name in a golden."""
    yield from answer.outputs.items()
    if request.upstream:
        yield "loss", np.array(loss(request, answer))
        for name, gradient in answer.gradients.items():
            yield f"gradients.{name}", gradient


def form(value: Value) -> Any:
    """Return the bits of a value, or the digest of a large one."""
    if isinstance(value, np.ndarray) and value.size > WHOLE_TENSOR:
        data = value.astype(value.dtype.newbyteorder(">"), order="C").data
        return {"dtype": value.dtype.name, "shape": list(value.shape), "sha256": hashlib.sha256(data).hexdigest()}
    return encode(value)


def _features() -> list[str]:
    """Return the processor's features that NumPy found, may use beyond its baseline, and was not told to leave."""
    core = import_module(f"numpy.{'_core' if int(np.__version__.split('.')[0]) > 1 else 'core'}._multiarray_umath")
    found: Mapping[str, bool] = core.__cpu_features__
    return [name for name in core.__cpu_dispatch__ if found.get(name)]


def _kernel() -> str:
    """Return the name of the BLAS kernel; a kernel for another processor ends the process here."""
    np.ones((64, 64)).dot(np.ones((64, 64)))
    package = Path(np.__file__).parent
    for path in (*package.parent.glob("numpy.libs/*openblas*"), *package.glob(".dylibs/*openblas*")):
        library = ctypes.CDLL(str(path))
        for name in _KERNEL_NAMES:
            with suppress(AttributeError):
                function = getattr(library, name)
                function.restype = ctypes.c_char_p
                return str(function().decode())
    return ""


if __name__ == "__main__":
    main()
