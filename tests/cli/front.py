"""Shared by the tests of the front end: checking a text, and reference data to compare with."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from opgen.check import check
from opgen.diagnostics import Diagnostic, Report, Severity
from opgen.expand import autocast as match_autocast
from opgen.expand import checks as match_checks
from opgen.expand import docs as match_docs
from opgen.expand import expand
from opgen.expand.derivatives import match
from opgen.model import Program
from opgen.parse import autocast, batching, checks, derivatives, docs, functions, source, tags, yaml_source
from opgen.parse.derivatives import rules as derivatives_rules

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"

# The releases of PyTorch in the reference data, and the number of functions that each one's torchgen makes of
# its file.
RELEASES = {"2.15.0": 3110, "2.10.0": 3184, "2.1.2": 3039}
NEWEST = "2.15.0"

FILES = {
    "FILE": "native_functions.yaml",
    "DERIVATIVES": "derivatives.yaml",
    "CHECKS": "checks.yaml",
    "DOCS": "docs.yaml",
    "AUTOCAST": "autocast.yaml",
    "BATCHING": "batching.yaml",
}
PARTS = {
    "DERIVATIVES": derivatives_rules.SECOND_FILE,
    "CHECKS": checks.CHECKS_PART,
    "DOCS": docs.DOCS_PART,
    "AUTOCAST": autocast.AUTOCAST_PART,
    "BATCHING": batching.BATCHING_PART,
}


def files(example: str) -> dict[str, str]:
    """Returns the texts of an example by the file names in diagnostics."""
    texts, rest = {}, example
    for path, part in reversed(PARTS.items()):
        rest, found, text = rest.partition(part)
        if found:
            texts[path] = text
    return {"FILE": rest, **texts}


def checked(
    text: str | bytes, levels: Mapping[str, Severity | None] | None = None
) -> tuple[Program, list[Diagnostic]]:
    """Returns the program of a file with this text, and all its faults."""
    program, report = checked_report(text, levels)
    return program, report.sorted()


def checked_report(
    text: str | bytes, levels: Mapping[str, Severity | None] | None = None
) -> tuple[Program, Report]:
    """Returns the program of a file with this text, and the report of its faults.

    After a line `# derivatives.yaml` the text is that of a derivatives file, called DERIVATIVES; after `#
    checks.yaml`, of a checks file, called CHECKS; after `# docs.yaml`, of a docs file, called DOCS; after
    `# autocast.yaml`, of an autocast file, called AUTOCAST; after `# batching.yaml`, of a batching file,
    called BATCHING.
    """
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    report = Report(levels=levels or {})
    data, sixth, batched = data.partition(batching.BATCHING_PART.encode())
    data, fifth, cast = data.partition(autocast.AUTOCAST_PART.encode())
    data, fourth, said = data.partition(docs.DOCS_PART.encode())
    rest, third, asked = data.partition(checks.CHECKS_PART.encode())
    first, two, second = rest.partition(derivatives_rules.SECOND_FILE.encode())
    read = source.decode("FILE", first, report)
    items = functions.items(read, report) if read is not None else []
    declared, faulty, unread = functions.read(items or [], report)
    program = expand(Program("FILE", declared, tags.built_in(), faulty=faulty, unread=unread))
    if two:
        formulas = derivatives.read(_items("DERIVATIVES", second, report), report)
        program = replace(program, derivatives=match(program, "DERIVATIVES", *formulas))
    if third:
        conditions = checks.read(_items("CHECKS", asked, report), report)
        program = replace(program, checks=match_checks.match(program, "CHECKS", *conditions))
    if fourth:
        sentences = docs.read(_items("DOCS", said, report), report)
        program = replace(program, docs=match_docs.match(program, "DOCS", sentences))
    if fifth:
        casts = autocast.read(_items("AUTOCAST", cast, report), report)
        program = replace(program, autocast=match_autocast.match(program, "AUTOCAST", casts))
    if sixth:
        program = replace(program, batching=batching.read(_items("BATCHING", batched, report), report))
    check(program, report)
    return program, report


def _items(path: str, data: bytes, report: Report) -> list[yaml_source.Item]:
    read = source.decode(path, data, report)
    return yaml_source.items(read, report) if read is not None else []


def shared(*parts: str) -> Path:
    """Returns a file of the reference data; the test is skipped without it."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs ../shared/{'/'.join(parts)}")
    return path


def pytorch_yaml() -> Path:
    """Returns the functions file of the installed torchgen; the test is skipped without it."""
    spec = importlib.util.find_spec("torchgen")
    if spec is None:
        pytest.skip("needs torchgen (extra 'oracle')")
    return Path(spec.origin).parent / "packaged/ATen/native/native_functions.yaml"
