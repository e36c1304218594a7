"""The wheel's bill of materials (PEP 770): CycloneDX 1.6 as JSON, the same bytes for the same build."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import opgen
from opgen.build import elf

# The runtime libraries that each language's compiler links, by the compiler's name.
_STATIC_PARTS = {("CXX", "GNU"): "libgcc", ("CUDA", "NVIDIA"): "cudart_static"}


Json = dict[str, Any]


@dataclasses.dataclass(frozen=True, slots=True)
class Compiler:
    language: str  # CMake's name of the compiler
    name: str
    version: str


@dataclasses.dataclass(frozen=True, slots=True)
class Subject:
    """The library that the bill describes; `inputs` is the digest of all that it was generated from."""

    name: str
    version: str
    inputs: str


def compilers(build: Path) -> list[Compiler]:
    """Returns the compilers that CMake found and recorded for `build`."""
    found = []
    for language in ("CXX", "CUDA"):
        for file in sorted(build.glob(f"CMakeFiles/*/CMake{language}Compiler.cmake")):
            text = file.read_text(encoding="utf-8", errors="replace")
            pattern = rf'^set\(CMAKE_{language}_COMPILER_(ID|VERSION) "([^"]*)"\)'
            said = dict(re.findall(pattern, text, re.MULTILINE))
            found.append(Compiler(language, said.get("ID", ""), said.get("VERSION", "")))
    return found


def bill(subject: Subject, made_by: Iterable[Compiler], objects: Mapping[str, Path]) -> bytes:
    """Returns the bill as JSON; `objects` are the shared objects by their path in the wheel."""
    made_by = list(made_by)
    static = [
        _library(part, "static") | {"version": compiler.version}
        for compiler in made_by
        if (part := _STATIC_PARTS.get((compiler.language, compiler.name)))
    ]
    needs = {path: elf.read_needs(file) or elf.Needs((), {}) for path, file in sorted(objects.items())}
    inside = {Path(path).name: path for path in needs}
    outside = sorted({n for each in needs.values() for n in each.libraries if n not in inside})
    held = [*needs, *(part["bom-ref"] for part in static)]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": _metadata(subject, made_by),
        "components": [
            *(_file(path, objects[path]) for path in needs),
            *static,
            *(_system_library(name, needs.values()) for name in outside),
        ],
        "dependencies": [
            _depends(subject.name, held),
            *(_depends(path, (inside.get(n, n) for n in each.libraries)) for path, each in needs.items()),
        ],
    }
    return json.dumps(document, indent=1).encode() + b"\n"


def _metadata(subject: Subject, made_by: Iterable[Compiler]) -> Json:
    tools: list[Json] = [{"type": "application", "name": "opgen", "version": opgen.__version__}]
    tools += [
        {
            "type": "application",
            "name": c.name,
            "version": c.version,
            "description": f"compiler of {c.language}",
        }
        for c in made_by
    ]
    return {
        "lifecycles": [{"phase": "build"}],
        "tools": {"components": tools},
        "component": {
            "type": "library",
            "bom-ref": subject.name,
            "name": subject.name,
            "version": subject.version,
            "properties": [{"name": "opgen:inputs:sha256", "value": subject.inputs}],
        },
    }


def _file(path: str, file: Path) -> Json:
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    hashes = [{"alg": "SHA-256", "content": digest}]
    return {"type": "file", "bom-ref": path, "name": path, "hashes": hashes}


def _system_library(name: str, needs: Iterable[elf.Needs]) -> Json:
    """Returns the component for a system library, with the versions of its symbols that are required."""
    versions = sorted({v for each in needs for v in each.versions.get(name, ())})
    library = _library(name, "dynamic, not in the wheel")
    library["properties"] += [{"name": "opgen:symbol-version", "value": version} for version in versions]
    return library


def _library(name: str, linkage: str) -> Json:
    properties = [{"name": "opgen:linkage", "value": linkage}]
    return {"type": "library", "bom-ref": name, "name": name, "properties": properties}


def _depends(name: str, on: Iterable[str]) -> Json:
    return {"ref": name, "dependsOn": sorted(set(on))}
