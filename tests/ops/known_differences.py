"""Where results are known to differ: (test, pattern of the case) and why."""

from __future__ import annotations

import re

IHFFTN = "PyTorch's ihfft2 and ihfftn leave their out= unwritten"
GELU = "PyTorch's gelu leaves an out= that has gaps unwritten; ours writes it"
GAPS = "PyTorch's avg_pool3d writes an out= that has gaps as if it had none"
LINES = "interpolated quantiles along the first dimension lie in memory as the lines did that were sorted"
NUMBER = "PyTorch takes the number too, which its sample calls an error"
TAKEN = "ours takes an out= of a wider type, PyTorch's refuses it"
NO_OUT = "ours has no out= in nn.functional"
BOOLEAN = "ours computes in int64, PyTorch's in bool"
WIDER = "PyTorch's takes an out= of a wider type; ours refuses it"
SUMS = "ours rounds at other steps of the sum; not yet compared with float64"
REASONS: dict[tuple[str, str], str] = {
    ("inplace", r"addbmm-.*"): "PyTorch resizes a self that was broadcast; ours refuses, as baddbmm_ does",
    ("out", r"nn\.functional\.gelu-(float32|bfloat16)"): GELU,
    ("out", r"nn\.functional\.avg_pool3d-(float32|float64|int64)"): GAPS,
    ("out", r"fft\.ihfft[2n]-.*"): IHFFTN,
    ("errors", r"clamp_(max|min)-"): NUMBER,
    ("out", r"square-(bool|int64|bfloat16|float32|complex64)"): WIDER,
    ("out", r"inner-(int64|bfloat16|float32|complex64)"): TAKEN,
    ("out", r"nn\.functional\.(soft|hard)shrink-(bfloat16|float32|float64)"): NO_OUT,
    **{(test, r"addr-bool"): BOOLEAN for test in ("functional", "method", "inplace", "out")},
    ("inplace", r"addr-bfloat16"): SUMS,
    **{(test, r"(nan)?quantile-float(32|64)"): LINES for test in ("functional", "method")},
}


def reason_for(test: str, case: str) -> str | None:
    """The reason recorded for a case, if any."""
    return next(
        (why for (t, pattern), why in REASONS.items() if t == test and re.fullmatch(pattern, case)), None
    )
