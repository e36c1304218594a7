"""Reads the coefficients of the headers: their digits are written there and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

from mpmath import mp, mpf

mp.prec = 200  # of all that these scripts compute

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"[-+]?(?:0x[0-9a-fA-F.]+p[-+]?\d+|\d[\d.]*(?:e[-+]?\d+)?)[fF]?")
CLOSING = {"(": ")", "{": "}"}


def value(text: str) -> mpf:
    """The value of a literal in C++, as the compiler rounds it."""
    digits = text.rstrip("fF") if not text.startswith(("0x", "-0x")) else text.removesuffix("f")
    return mpf(float.fromhex(digits) if "0x" in digits else float(digits))


def parts(text: str, start: int) -> list[str]:
    """The parts between the commas of the parenthesis or brace at `start`."""
    stack, found, last = [], [], start + 1
    for i in range(start, len(text)):
        if text[i] in CLOSING:
            stack.append(CLOSING[text[i]])
        elif stack and text[i] == stack[-1]:
            stack.pop()
            if not stack:
                return [*found, text[last:i].strip()]
        elif text[i] == "," and len(stack) == 1:
            found.append(text[last:i].strip())
            last = i + 1
    raise ValueError(f"no end of {text[start : start + 40]!r}")


def array(file: str, anchor: str, opening: str) -> list[mpf]:
    """The numbers of the first `opening` (a call up to its parenthesis, or a brace) after `anchor`."""
    text = (ROOT / file).read_text(encoding="utf-8")
    begin = text.index(anchor)
    found = parts(text, text.index(opening, begin + len(anchor)) + len(opening) - 1)
    return [value(part) for part in found if NUMBER.fullmatch(part)]


def constant(file: str, name: str) -> mpf:
    """The number that `name` is initialised with."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return value(re.search(rf"\b{name} = ({NUMBER.pattern})", text)[1])
