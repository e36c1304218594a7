"""Two expanded programs compared: whom does the new one break?"""

from __future__ import annotations

from collections.abc import Sequence

from opgen.breaking.finding import Audience, Bump, Effect, Finding, Rule, Shown
from opgen.diagnostics import Diagnostic
from opgen.model import Program

__all__ = ["Audience", "Bump", "Effect", "Finding", "Rule", "Shown", "compare"]


def compare(base: Program, new: Program, base_faults: Sequence[Diagnostic] = ()) -> tuple[Finding, ...]:
    """All that changed from `base` to `new`, by place. `base_faults` are the entries of the baseline that
    could not be read.
    """
    return ()
