"""Two expanded programs compared: whom does the new one break?"""

from __future__ import annotations

from collections.abc import Sequence

from opgen.breaking.deprecated import OldSignature
from opgen.breaking.finding import Audience, Bump, Effect, Finding, Rule, Shown, Unread
from opgen.model import Program

__all__ = ["Audience", "Bump", "Effect", "Finding", "OldSignature", "Rule", "Shown", "Unread", "compare"]


def compare(
    base: Program,
    new: Program,
    base_faults: Sequence[Unread] = (),
    new_faults: Sequence[Unread] = (),
    base_deprecated: Sequence[OldSignature] | None = None,
    new_deprecated: Sequence[OldSignature] | None = None,
) -> tuple[Finding, ...]:
    """All that changed from `base` to `new`, by place. The faults are entries that could not be read: of
    their operators nothing else is said. Deprecated signatures are compared where both versions have a file
    of them.
    """
    return ()
