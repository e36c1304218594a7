"""Classification of intended differences."""

from __future__ import annotations

import re
from typing import NamedTuple

from .differences import Difference
from .machine import Program

ANY = ".*"
OVERLAP = "refer to a single memory location"
INFERENCE = r"inference_mode\(\)"
# Steps that set whether a tensor requires grad.
REQUIRES = r"detach_\(|requires_grad(_\(| = )(False|True)|requires_grad_\(\)"


class Known(NamedTuple):
    """Patterns of a known difference. `step`, `aspect` and `name` must match as a whole, `ours` and `theirs`
    somewhere; `{name}` in the pattern of the step is the tensor that differs. `before` must occur in one of
    the program's steps.
    """

    step: str
    aspect: str
    ours: str
    theirs: str
    why: str
    error: str = ""
    dtype: str = ""
    before: str = ""
    name: str = ""


def fits(known: Known, difference: Difference, program: Program) -> bool:
    d = difference
    step = known.step.replace("{name}", re.escape(d.name))
    whole = ((step, d.step), (known.aspect, d.aspect), (known.error, d.error), (known.dtype, d.dtype))
    whole += ((known.name, d.name),)
    return (
        all(re.fullmatch(p, text) for p, text in whole if p)
        and all(re.search(p, text) for p, text in ((known.ours, d.ours), (known.theirs, d.theirs)))
        and (not known.before or any(re.search(known.before, s) for s in program.steps))
    )
