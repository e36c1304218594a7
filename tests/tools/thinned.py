"""Some of many samples, evenly spread: PyTorch's database has over a thousand for some operators, each with
one argument changed. A run prints how many it left out; `make left-out` sets ATEN_ALL_SAMPLES=1, for all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

Sample = TypeVar("Sample")

TAKES_ALL = os.environ.get("ATEN_ALL_SAMPLES") == "1"
MOST = 80  # of one operator and dtype; most have fewer

left_out = 0  # samples, by this process


def thinned(samples: Sequence[Sample], most: int = MOST) -> Sequence[Sample]:
    """Returns at most `most` of the samples."""
    global left_out
    if TAKES_ALL or len(samples) <= most:
        return samples
    left_out += len(samples) - most
    return [samples[i * len(samples) // most] for i in range(most)]
