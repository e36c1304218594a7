"""Errors of compiler and linker about a generated tree, mapped to the files that people wrote.

The tree's sources.json maps copies to the hand-written files, kernels to the lines of their declarations, and
formulas to theirs: in generated code a comment after the formula's condition names it.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from opgen.api.structured import PREFIX as STRUCTURED
from opgen.build import signatures

# How GNU ld, gold, lld and mold report a missing symbol; the symbol is demangled, in the library's inline
# namespace.
_UNDEFINED = re.compile(
    r"(?:undefined reference to|undefined symbol:|undefined hidden symbol:) [`'\"]?(?P<symbol>[^'\"`\n]+)"
)
# With a line number, or as in "one.cpp: In function 'int one()':".
PLACE = re.compile(
    r"(?P<path>[^\s:'\"(]+\.(?:h|cpp|cu|cuh))(?::(?P<line>\d+)(?P<column>:\d+)?|(?=: (?:In|At) ))"
)
_FORMULA_FILE = re.compile(r"src/autograd_\w+\.cpp\Z")
_MARKER = re.compile(r"  // (?P<marker>\S.*)\Z")
# Inline namespaces of libraries, and the marks of structured kernels.
_NOISE = re.compile(rf"(?<=::)\w+_v\d+::|\[abi:\w+\]|(?<=::){STRUCTURED}")


@dataclasses.dataclass(frozen=True, slots=True)
class Origins:
    """The present locations of the files in sources.json: a path for a name's first component (or all of it).
    `own` are the first components of the user's files.
    """

    places: Mapping[str, Path]
    own: Set[str] = frozenset()

    def find(self, origin: str) -> str:
        whole = self.places.get(origin)
        if whole is not None:
            return str(whole)
        first, _, rest = origin.partition("/")
        return str(self.places[first] / rest) if first in self.places else origin

    def find_place(self, place: str) -> str:
        """Like find(), for `origin:line`."""
        origin, _, line = place.rpartition(":")
        return f"{self.find(origin)}:{line}"


NOWHERE = Origins({})


def read_record(tree: Path) -> dict[str, Any]:
    """Returns sources.json of a tree; empty where there is none."""
    try:
        record: dict[str, Any] = json.loads((tree / "sources.json").read_bytes())
        return record
    except (OSError, ValueError):
        return {}


def hand_written(tree: Path, origins: Origins) -> dict[str, str]:
    """Returns the hand-written file of each copy in the tree."""
    return {str(tree / path): origins.find(name) for path, name in read_record(tree).get("files", {}).items()}


def explain(message: str, tree: Path, origins: Origins, find: signatures.Find = lambda name: ()) -> str:
    """Returns `message` with the places of hand-written files, preceded by the declarations whose kernels the
    linker missed; `find` finds the functions that have a kernel's name.
    """
    record = read_record(tree)
    if not record:
        return message
    faults = list(_missing_kernels(message, tree, record, origins, find))
    places = Places(tree, record, origins)
    text = places.of(message)
    if not faults:
        return text
    advice = "define it in a file of a --kernels folder, or build with --missing-kernels stub"
    return "\n".join([*faults, advice, "", text])


def _missing_kernels(
    message: str, tree: Path, record: Mapping[str, Any], origins: Origins, find: signatures.Find
) -> Iterator[str]:
    seen = set()
    for match in _UNDEFINED.finditer(message):
        symbol = match["symbol"].partition("(")[0].rpartition(" ")[2]
        name = _NOISE.sub("", symbol)
        kernel, shape = name.removesuffix("::impl"), symbol.endswith("::meta")
        if shape:
            name = re.sub(r"(?<=::)\w+_v\d+::", "", symbol).removesuffix("::meta")
            place = record.get("metas", {}).get(name)
            operator = name.rpartition("::")[2].removeprefix(STRUCTURED)
            what = f"the meta function TORCH_META_FUNC of {operator}"
        else:
            place, what = record["kernels"].get(kernel), f"kernel {kernel}"
        free = not shape and name == kernel  # a structured kernel's wrong parameters fail to compile
        if place is not None and what not in seen:
            seen.add(what)
            others = list(signatures.comparison(tree, kernel, find)) if free else []
            fault = "but nothing that is defined has its signature" if others else "but defined nowhere"
            yield f"{origins.find_place(place)}: error: {what} is declared here {fault}"
            yield from others


@dataclasses.dataclass(frozen=True, slots=True)
class Places:
    """Places in a generated tree, mapped to the files that people wrote; others are unchanged."""

    tree: Path
    record: Mapping[str, Any]
    origins: Origins

    def of(self, text: str) -> str:
        return PLACE.sub(self._written, text)

    def is_own(self, path: str) -> bool:
        """Whether the path is a copy of a file that the user wrote."""
        origin = self.record.get("files", {}).get(path.removeprefix(f"{self.tree}/"), "")
        return origin.partition("/")[0] in self.origins.own

    def _written(self, match: re.Match[str]) -> str:
        inside = match["path"].removeprefix(f"{self.tree}/")
        if (
            match["line"]
            and _FORMULA_FILE.match(inside)
            and (place := self._formula(inside, int(match["line"])))
        ):
            return self.origins.find_place(place)
        origin = self.record["files"].get(inside)
        if origin is None:
            return match[0]
        line = f":{match['line']}{match['column'] or ''}" if match["line"] else ""
        return f"{self.origins.find(origin)}{line}"

    def _formula(self, path: str, line: int) -> str | None:
        """Returns the place of the formula that the line belongs to: its marker is on the line or above."""
        try:
            lines = (self.tree / path).read_text(encoding="utf-8").splitlines()[:line]
        except (OSError, UnicodeDecodeError):
            return None
        for text in reversed(lines):
            marker = _MARKER.search(text)
            place: str | None = self.record.get("formulas", {}).get(marker["marker"]) if marker else None
            if place is not None:
                return place
            if text.startswith("}"):
                return None
        return None
