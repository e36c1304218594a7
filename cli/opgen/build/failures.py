"""What compiler and linker say about a generated tree, said about the files that people wrote.

sources.json of the tree maps its copies to the hand-written files, kernels to the lines of their
declarations, and formulas to theirs: in generated code a comment after the formula's condition names it.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

# What GNU ld, gold, lld and mold say of a missing symbol; the symbol is demangled, in the library's inline
# namespace.
_UNDEFINED = re.compile(
    r"(?:undefined reference to|undefined symbol:|undefined hidden symbol:) [`'\"]?(?P<symbol>[^'\"`\n]+)"
)
_PLACE = re.compile(r"(?P<path>[^\s:'\"(]+\.(?:h|cpp|cu|cuh)):(?P<line>\d+)(?P<column>:\d+)?")
_FORMULA_FILE = re.compile(r"src/autograd_\d+\.cpp\Z")
_MARKER = re.compile(r"  // (?P<marker>\S.*)\Z")
# Inline namespaces of libraries, and the marks of structured kernels.
_NOISE = re.compile(r"(?<=::)\w+_v\d+::|\[abi:\w+\]|(?<=::)structured_")


@dataclasses.dataclass(frozen=True, slots=True)
class Origins:
    """Where the files that sources.json names lie now: for the first part of a name (or all of it), a
    path.
    """

    places: Mapping[str, Path]

    def find(self, origin: str) -> str:
        whole = self.places.get(origin)
        if whole is not None:
            return str(whole)
        first, _, rest = origin.partition("/")
        return str(self.places[first] / rest) if first in self.places else origin


def explain(message: str, tree: Path, origins: Origins) -> str:
    """`message` with the places of hand-written files, led by the declarations whose kernels the linker
    missed.
    """
    try:
        record = json.loads((tree / "sources.json").read_bytes())
    except (OSError, ValueError):
        return message
    faults = list(_missing_kernels(message, record, origins))
    places = Places(tree, record, origins)
    text = _PLACE.sub(places.written, message)
    if not faults:
        return text
    advice = "define it in a file of a --kernels folder, or build with --missing-kernels stub"
    return "\n".join([*faults, advice, "", text])


def _missing_kernels(message: str, record: Mapping, origins: Origins) -> Iterator[str]:
    seen = set()
    for match in _UNDEFINED.finditer(message):
        symbol = match["symbol"].partition("(")[0].rpartition(" ")[2]
        name = _NOISE.sub("", symbol)
        kernel, shape = name.removesuffix("::impl"), symbol.endswith("::meta")
        if shape:
            name = re.sub(r"(?<=::)\w+_v\d+::", "", symbol).removesuffix("::meta")
            place = record.get("metas", {}).get(name)
            operator = name.rpartition("::")[2].removeprefix("structured_")
            what = f"the shape function TORCH_META_FUNC of {operator}"
        else:
            place, what = record["kernels"].get(kernel), f"kernel {kernel}"
        if place is not None and what not in seen:
            seen.add(what)
            path, _, line = place.rpartition(":")
            yield f"{origins.find(path)}:{line}: error: {what} is declared here but defined nowhere"


@dataclasses.dataclass(frozen=True, slots=True)
class Places:
    """Places in a generated tree, as those of the files that people wrote; others stay as they are."""

    tree: Path
    record: Mapping
    origins: Origins

    def written(self, match: re.Match[str]) -> str:
        path = match["path"]
        inside = path.removeprefix(f"{self.tree}/")
        if _FORMULA_FILE.match(inside) and (place := self._formula(inside, int(match["line"]))):
            name, _, line = place.rpartition(":")
            return f"{self.origins.find(name)}:{line}"
        origin = self.record["files"].get(inside)
        if origin is None:
            return match[0]
        return f"{self.origins.find(origin)}:{match['line']}{match['column'] or ''}"

    def _formula(self, path: str, line: int) -> str | None:
        """The place of the formula that the line belongs to, of which the marker is there or above."""
        try:
            lines = (self.tree / path).read_text(encoding="utf-8").splitlines()[:line]
        except (OSError, UnicodeDecodeError):
            return None
        for text in reversed(lines):
            marker = _MARKER.search(text)
            if marker is not None and marker["marker"] in self.record.get("formulas", {}):
                return self.record["formulas"][marker["marker"]]
            if text.startswith("}"):
                return None
        return None
