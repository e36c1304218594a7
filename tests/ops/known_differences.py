"""Where results are known to differ from PyTorch's: (test, pattern of the case) and why. Each is to be mended."""

from __future__ import annotations

import re

REASONS: dict[tuple[str, str], str] = {}


def reason_for(test: str, case: str) -> str | None:
    """The reason recorded for a case, if any."""
    return next((why for (t, pattern), why in REASONS.items() if t == test and re.fullmatch(pattern, case)), None)
