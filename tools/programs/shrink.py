"""Makes a program with a difference smaller, and prints it as a script for both libraries."""

from __future__ import annotations

import re
from collections.abc import Callable

from .differences import Difference
from .machine import Program

Replay = Callable[[Program], Difference | None]
SCOPE = re.compile(r"with [^:]*\): ")


def kind(difference: Difference) -> str:
    """Returns what differs, and after which operation, without names and numbers."""
    error = f" ({difference.error})" if difference.error else ""
    if difference.aspect == "outcome":
        error = f" ({difference.ours.partition(':')[0]}, {difference.theirs.partition(':')[0]})"
    return f"{difference.aspect} after {operation(difference.step)}{error}"


def operation(step: str) -> str:
    """Returns a step's operation without scope and tensor: `t3 = t1.view([2, 3])` gives `view`."""
    text = SCOPE.sub("", step)
    text = re.sub(r"^(t\d+(, t\d+)*,? = )+", "", text)
    assigned = re.match(r"t\d+(\[.*\])?(\.(data|grad|requires_grad))? ?([+*]?=)(?!=)", text)
    if assigned:
        return f"{'[...]' if assigned[1] else ''}{assigned[2] or ''} {assigned[4]}".strip()
    called = re.findall(r"\.(\w+)\(", text)
    out = " out=" if "out=" in text else ""
    return ((called[0] + out) if called else re.sub(r"t?\d+", "t", text))[:40]


def shrink(program: Program, difference: Difference, replay: Replay) -> tuple[Program, Difference]:
    """Omits steps, from the last, in smaller and smaller groups, as long as the kind of difference stays the
    same.
    """
    size = max(len(program.steps) // 2, 1)
    while size:
        end = len(program.steps)
        while end > 0:
            steps = program.steps[: max(end - size, 0)] + program.steps[end:]
            found = replay(program._replace(steps=steps)) if steps else None
            if found is not None and kind(found) == kind(difference):
                program, difference = program._replace(steps=steps), found
            end -= size
        size //= 2
    return program, difference


def script(program: Program, difference: Difference) -> str:
    """Returns the program as a script: `python file aten`, `python file torch`."""
    lines = [
        "import importlib, sys",
        'lib = importlib.import_module((sys.argv[1:] or ["aten"])[0])',
        "log = []",
        *program.steps,
    ]
    looked_at = "after the last step only" if program.quiet else "after each step"
    return "\n".join(
        [f"# {difference}", f"# after: {difference.step}; the graph was looked at {looked_at}", *lines]
    )
