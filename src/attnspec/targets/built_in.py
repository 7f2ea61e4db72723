"""The frameworks that can be checked by name: where each target stands, and what must be installed for it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.util import find_spec

DISTRIBUTIONS = {"paddle": ("paddlepaddle", "paddlepaddle-gpu"), "tensorflow": ("tensorflow", "tensorflow-cpu")}
"""What brings a module where the two have different names."""


@dataclass(frozen=True)
class BuiltIn:
    """A target of this package.

    Args:
        place: `module:attribute`.
        needs: the modules that it imports, the framework that it stands for first.
        extra: of this package, or several with commas, that install them; empty: they come with attnspec.
    """

    place: str
    needs: tuple[str, ...]
    extra: str = ""

    @property
    def missing(self) -> str:
        """The first module that is not installed; empty where nothing is missing."""
        return next((module for module in self.needs if not is_importable(module)), "")

    @property
    def installed(self) -> str:
        """The framework's version; empty where something is missing."""
        return "" if self.missing else version_of(self.needs[0])

    @property
    def remedy(self) -> str:
        """The command that installs what is missing."""
        return f"pip install 'attnspec[{self.extra}]'"


BUILT_IN: dict[str, BuiltIn] = {
    "numpy": BuiltIn("attnspec.targets.numpy_attention", ("numpy",)),
    "torch": BuiltIn("attnspec.targets.torch_attention:DEFAULT", ("torch",), "torch"),
    "torch-flash": BuiltIn("attnspec.targets.torch_attention:FLASH", ("torch",), "torch"),
    "torch-math": BuiltIn("attnspec.targets.torch_attention:MATH", ("torch",), "torch"),
    "jax": BuiltIn("attnspec.targets.jax_attention:EAGER", ("jax",), "jax"),
    "jax-jit": BuiltIn("attnspec.targets.jax_attention:JIT", ("jax",), "jax"),
    "flax": BuiltIn("attnspec.targets.flax_attention:LINEN", ("flax", "jax"), "flax"),
    "flax-nnx": BuiltIn("attnspec.targets.flax_attention:NNX", ("flax", "jax"), "flax"),
    "keras-jax": BuiltIn("attnspec.targets.keras_attention:JAX", ("keras", "jax"), "keras,jax"),
    "keras-tensorflow": BuiltIn("attnspec.targets.keras_attention:TENSORFLOW", ("keras", "tensorflow"), "tensorflow"),
    "keras-torch": BuiltIn("attnspec.targets.keras_attention:TORCH", ("keras", "torch"), "keras,torch"),
    "mlx": BuiltIn("attnspec.targets.mlx_attention", ("mlx",), "mlx"),
    "onnx-reference": BuiltIn("attnspec.targets.onnx_attention:REFERENCE", ("onnx",), "onnx"),
    "onnxruntime": BuiltIn("attnspec.targets.onnx_attention:RUNTIME", ("onnxruntime", "onnx"), "onnx"),
    "openvino": BuiltIn("attnspec.targets.openvino_attention:DEFAULT", ("openvino",), "openvino"),
    "openvino-accurate": BuiltIn("attnspec.targets.openvino_attention:ACCURATE", ("openvino",), "openvino"),
    "paddle": BuiltIn("attnspec.targets.paddle_attention", ("paddle",), "paddle"),
    "tensorflow": BuiltIn("attnspec.targets.tensorflow_attention", ("tensorflow",), "tensorflow"),
    "tinygrad": BuiltIn("attnspec.targets.tinygrad_attention", ("tinygrad",), "tinygrad"),
    "transformers": BuiltIn("attnspec.targets.transformers_attention", ("transformers", "torch"), "transformers"),
}
"""By the name that the command line knows them by."""


def unavailable(text: str) -> str | None:
    """Say why a target cannot be loaded, as far as that can be told without importing it.

    Args:
        text: what a user wrote for a target.
    """
    if text in BUILT_IN:
        chosen = BUILT_IN[text]
        return f"{text}: needs {chosen.missing}, which is not installed; {chosen.remedy}" if chosen.missing else None
    if text == "reference" or any(mark in text for mark in ":./\\") or is_importable(text):
        return None
    return f"{text}: no such target; known: {', '.join(BUILT_IN)}; or FILE.py, module:attribute, cmd:COMMAND LINE"


def is_importable(module: str) -> bool:
    """Return whether a module can be found here or in the working directory; nothing is imported."""
    try:
        return find_spec(module) is not None or PathFinder.find_spec(module, [""]) is not None
    except ValueError:  # of a module that was made by hand, or an empty name
        return False


def version_of(module: str) -> str:
    """Return the version of the distribution that brings a module, or `?` where no metadata says it."""
    from importlib.metadata import PackageNotFoundError, version  # a tenth of the start of a command

    for distribution in DISTRIBUTIONS.get(module, (module,)):
        try:
            return version(distribution)
        except PackageNotFoundError:
            continue
    return "?"
