"""The fault of one branch is reported by itself, without naming the branch."""

from ordinary import Ordinary, Refusal, export

BUG_KIND = "code"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = (
    "qkv_projection.12",
    "qkv_projection.13",
    "qkv_parameters.6",
    "qkv_parameters.7",
    "qkv_parameters.8",
    "qkv_initialization.5",
    "qkv_initialization.6",
)


class Twin(Ordinary):
    def branch(self, branch: str, fault: Refusal) -> Refusal:
        return fault


export(globals(), Twin())
