"""Recorded calls that are known to differ: aspects and overload (patterns), what is said then, and why."""

from __future__ import annotations

import re
from typing import NamedTuple


class Difference(NamedTuple):
    aspects: str
    overloads: str
    says: str
    why: str


DIFFERENCES = (
    Difference(
        "values", "_conj", "does not share memory", "conjugates are computed: no bit of a view says so"
    ),
    Difference(
        "meta",
        "masked_scatter_backward",
        "no kernel for dispatch key Meta",
        "its result's size is that of what a mask selects, before it is padded",
    ),
    Difference(
        "values|forms",
        r"masked_fill_?\..*",
        "single memory location",
        "to write where several elements lie at one place is an error; PyTorch warns",
    ),
)


def known(aspect: str, overload: str, error: BaseException) -> str | None:
    """Why a call of an overload may differ so."""
    for d in DIFFERENCES:
        if (
            re.fullmatch(d.aspects, aspect)
            and re.fullmatch(d.overloads, overload)
            and re.search(d.says, str(error))
        ):
            return d.why
    return None
