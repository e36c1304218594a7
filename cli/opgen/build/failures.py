"""What compiler and linker say about a generated tree, said about the files that people wrote.

sources.json of the tree maps its copies to the hand-written files, and kernels to the lines of their
declarations.
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
_PLACE = re.compile(r"(?P<path>[^\s:'\"(]+\.(?:h|cpp|cu|cuh)):(?P<line>\d+)")
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
    text = _PLACE.sub(lambda m: _hand_written(m, tree, record["files"], origins), message)
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


def _hand_written(match: re.Match[str], tree: Path, files: Mapping[str, str], origins: Origins) -> str:
    """The place of a copy in the tree as that of the original; other places as they are."""
    path = match["path"]
    inside = path.removeprefix(f"{tree}/") if path.startswith(f"{tree}/") else path
    origin = files.get(inside)
    return f"{origins.find(origin)}:{match['line']}" if origin is not None else match[0]
