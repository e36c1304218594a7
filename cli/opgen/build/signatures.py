"""Compares the signature that a kernel is declared with to the functions of its name that were found.

C++ takes a function with other parameters for an overload, so only the linker misses the kernel. The texts
explain the linker's error; nothing is rejected because of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

_DEFAULT = re.compile(r"\s*=\s*(?:\"[^\"]*\"|\{[^}]*\}|[^,{}()]*(?:\([^()]*\))?)")
_NAMESPACES = re.compile(r"\b(?:at|c10|std)::|::|\s+")
_PARAMETER_NAME = re.compile(r"(?<=[\s&*>])\w+\Z")
_LONGEST = 2000  # longest signature, in characters
_SHOWN = 5


class Definition(Protocol):
    """The place where a function is defined."""

    @property
    def path(self) -> Path: ...

    @property
    def line(self) -> int: ...


Find = Callable[[str], Iterable[Definition]]


def comparison(tree: Path, kernel: str, find: Find) -> Iterator[str]:
    """Yields lines for the message about `kernel`, as in at::native::add; none where no function has its
    name. `find` looks for the definitions of a function.
    """
    namespace, _, name = kernel.rpartition("::")
    found = [(text, place) for place in find(name) if (text := written(place, name))][:_SHOWN]
    expected = declared(tree, name)
    if not found or not expected:
        return
    yield from (f"  expected  {text}" for text in expected)
    for text, place in found:
        yield f"  found     {text}  ({place.path}:{place.line})"
        if types(text) in map(types, expected):
            yield f"            with the right types: is it in namespace {namespace}, and not static?"


def declared(tree: Path, name: str) -> list[str]:
    """Returns the signatures of kernels called `name`, from the generated headers that declare them."""
    pattern = re.compile(rf"^TORCH_API (.*\b{re.escape(name)}\(.*\));$", re.MULTILINE)
    headers = sorted(tree.glob("include/*/ATen/ops/*_native.h"))
    texts = (header.read_text(encoding="utf-8", errors="replace") for header in headers)
    return list(dict.fromkeys(_DEFAULT.sub("", found) for text in texts for found in pattern.findall(text)))


def written(place: Definition, name: str) -> str:
    """Returns the signature as written, on one line: from the beginning of its first line to the end of the
    parameters.
    """
    try:
        lines = place.path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    text = " ".join(lines[place.line - 1 :])[:_LONGEST]
    start = text.find("(", text.find(name))
    end = next((i for i in range(start, len(text)) if _balanced(text[start : i + 1])), None)
    return " ".join(text[: end + 1].split()) if start >= 0 and end is not None else ""


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")")


def types(signature: str) -> list[str]:
    """Returns the parameters of a signature, without spaces and without the namespaces that kernels may leave
    out.
    """
    inside = _DEFAULT.sub("", signature[signature.index("(") + 1 : signature.rindex(")")])
    found, depth = [""], 0
    for c in inside:
        depth += (c in "<(") - (c in ">)")
        if c == "," and not depth:
            found.append("")
        else:
            found[-1] += c
    return [_NAMESPACES.sub("", _PARAMETER_NAME.sub("", each.strip())) for each in found]
