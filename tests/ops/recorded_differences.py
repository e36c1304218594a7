"""Recorded calls that are known to differ: aspects and overload (patterns), what is said then, and why."""

from __future__ import annotations

import re
from typing import NamedTuple

from known_differences import TRUNC


class Difference(NamedTuple):
    aspects: str
    overloads: str
    says: str
    why: str
    dtypes: str = ".*"


DIFFERENCES = (
    Difference(
        "values", "_conj", "does not share memory", "conjugates are computed: no bit of a view says so"
    ),
    Difference(
        "values|forms",
        r"masked_fill_?\..*",
        "single memory location",
        "to write where several elements lie at one place is an error; PyTorch warns",
    ),
    Difference(
        "values|forms",
        r"native_dropout(\.out)?",
        "result 0 is not argument 0|argument 'out': expected dtype Bool",
        "PyTorch returns an argument without elements itself, with a mask of its type",
    ),
    Difference("values|forms", r"div_?\..*mode", "values differ", TRUNC, "bfloat16"),
)


def known(aspect: str, overload: str, dtype: str, error: BaseException) -> str | None:
    """Why a call of an overload may differ so."""
    return next((d.why for d in DIFFERENCES if fits(d, aspect, overload, dtype, str(error))), None)


def fits(d: Difference, aspect: str, overload: str, dtype: str, error: str) -> bool:
    pairs = ((d.aspects, aspect), (d.overloads, overload), (d.dtypes, dtype))
    return all(re.fullmatch(pattern, text) for pattern, text in pairs) and bool(re.search(d.says, error))
