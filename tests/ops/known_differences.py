"""Known differences of results: (test, pattern of the case) and why."""

from __future__ import annotations

import re

IHFFTN = "PyTorch's ihfft2 and ihfftn leave their out= unwritten"
REASONS: dict[tuple[str, str], str] = {
    ("inplace", r"addbmm-.*"): "PyTorch resizes a self that was broadcast; ours refuses, as baddbmm_ does",
    ("out", r"fft\.ihfft[2n]-(float32|float64|int64|bool)"): IHFFTN,
}


def reason_for(test: str, case: str) -> str | None:
    """Returns the reason recorded for a case, if any."""
    return next(
        (why for (t, pattern), why in REASONS.items() if t == test and re.fullmatch(pattern, case)), None
    )
