"""Intended differences of programs, by the first reason that matches."""

from __future__ import annotations

import re

from .differences import THE_END, Difference
from .known import fits
from .known_gradients import GRADIENTS
from .known_graph import GRAPH
from .known_inference import INFERENCE_MODE
from .known_memory import MEMORY
from .machine import Program

KNOWN = MEMORY + INFERENCE_MODE + GRAPH + GRADIENTS


def reason_for(difference: Difference, program: Program) -> str | None:
    steps = [difference.step]
    if difference.step == THE_END:  # it may come from any step that names the tensor
        name = re.compile(rf"\b{difference.name.partition('.')[0]}\b")
        steps = [s for s in program.steps if name.search(s)]
    found = (k.why for k in KNOWN if any(fits(k, difference._replace(step=s), program) for s in steps))
    return next(found, None)
