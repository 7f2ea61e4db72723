"""The state that is handed out is that after the first weight."""

from typing import Any

from ordinary import Ordinary, export

BUG_KIND = "init"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_initialization.4",)


class Twin(Ordinary):
    def qkv_initialization(self, prefix: str, model_width: int, head_width: int, seed: int) -> dict[str, Any]:
        found = super().qkv_initialization(prefix, model_width, head_width, seed)
        return found | {"state": self.state(seed, model_width * head_width)}


export(globals(), Twin())
