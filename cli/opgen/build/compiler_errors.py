"""What a failed step of the build printed: the message first, and which header declares what is unknown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

STEP = re.compile(r"\[(\d+)/(\d+)\] ")
FAILED = "FAILED:"
_LONGEST = 120
_STOPPED = "ninja: build stopped"
# GCC's and Clang's words for `at::exp` without its header.
_NO_MEMBER = re.compile(
    r"error: ['\u2018](?P<name>\w+)['\u2019] is not a member of ['\u2018](?P<space>[\w:]+)['\u2019]"
    r"|error: no member named '(?P<named>\w+)' in namespace '(?P<within>[\w:]+)'"
)
# `~a` calls a method that this library lacks.
_NO_METHOD = re.compile(r"TensorOperators\.h:[\d:]+ error: .*no member named ['\u2018](?P<name>\w+)['\u2019]")
_NO_OPERATOR = re.compile(
    r"error: no match for ['\u2018]operator.*Tensor|error: invalid operands to binary expression .*Tensor"
)
# What follows such an error, and what comes after that.
_CANDIDATES = re.compile(r": note: |^In file included from ")
_OTHER_PART = re.compile(r": warning: |: (?:In (?:\w+ )?function|In lambda|At) |^FAILED:|^ninja:|^\[\d")
_VERSION = re.compile(r"::\w+_v\d+\b")
_OPERATORS = "ATen/TensorOperators.h"


def failure(output: str, verbose: bool) -> str:
    """Returns the relevant part of Ninja's output: what the first failed step printed, without its command,
    a kilobyte, which `verbose` keeps.
    """
    lines = output.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith(FAILED)), None)
    if first is None:
        shown = [line for line in lines[-_LONGEST // 2 :] if not STEP.match(line)]
        return "\n".join(["the compiler failed:", *shown])
    if verbose:
        shown = lines[first : first + _LONGEST]
    else:
        shown = list(_without_candidates(lines[first + 2 :]))[:_LONGEST]
    kept = [line for line in shown if not STEP.match(line) and not line.startswith(_STOPPED)]
    return "\n".join(["the compiler failed:", *kept])


def _without_candidates(lines: Iterable[str]) -> Iterator[str]:
    """Yields the lines without the notes on each operator of another type, of which there are dozens."""
    among_operators = skipping = False
    for line in lines:
        if ": error: " in line:
            among_operators, skipping = _NO_OPERATOR.search(line) is not None, False
        elif _OTHER_PART.search(line):
            skipping = False
        elif among_operators and _CANDIDATES.search(line):
            skipping = True
        if not skipping:
            yield line


def headers(message: str, folders: Sequence[Path]) -> Iterator[str]:
    """Yields for each unknown operator of a message the header to include, if one of the folders has it, and
    the one by which operators between tensors are selected.
    """
    wanted = dict.fromkeys(
        (_VERSION.sub("", m["space"] or m["within"]), m["name"] or m["named"])
        for m in _NO_MEMBER.finditer(message)
    )
    for space, name in wanted:
        prefix = "" if space == "at" else f"{space}_"
        header = f"ATen/ops/{prefix}{name}.h"
        if any((folder / header).is_file() for folder in folders):
            yield f"help: {space}::{name} is declared in a header: #include <{header}>"
    for name in dict.fromkeys(m["name"] for m in _NO_METHOD.finditer(message)):
        yield (
            f"help: this library has no {name}, which an operator such as ~ or + calls; #include"
            f" <{_OPERATORS}> in the file that writes it, so that it is selected"
        )
