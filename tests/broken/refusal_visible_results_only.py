"""Raw scores that overflow at a blocked key are passed over: they are not used."""

import numpy as np
from ordinary import Given, Ordinary, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = ("causal_attention.21",)


class Twin(Ordinary):
    def check_results(self, outputs: Given) -> None:
        names = ("raw_scores", "scaled_scores") if "mask" in outputs else ()
        super().check_results({**outputs, **{name: np.tril(outputs[name]) for name in names}})


export(globals(), Twin())
