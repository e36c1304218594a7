"""On which page each function of the API stands: that of its subject."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import api_operators
from api_entries import Entry
from api_source import module_file, written

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "aten"
# Modules of functions, in the order in which a subject's page has them.
MODULES = {
    "": "aten",
    "nn": "aten.nn.functional",
    "special": "aten.special",
    "linalg": "aten.linalg",
    "fft": "aten.fft",
}
# The subject of hand-written functions without an operator of their name, by the file that defines them.
SUBJECTS = {
    "_functions": "tensor",
    "_creation": "factories",
    "_buffers": "factories",
    "_joined": "shape",
    "_lowrank": "linalg",
    "_sets": "sorting",
    "_activations": "activation",
    "_softmax": "activation",
    "_attention": "attention",
    "_dropout": "dropout",
    "_normalization": "normalization",
    "_losses": "loss",
    "_margin_losses": "loss",
    "_linear_cross_entropy": "loss",
    "_pooling": "pooling",
    "_unpooling": "pooling",
    "_resampling": "resampling",
    "_windows": "resampling",
    "_grouped_mm": "matmul",
}
# Those whose file has functions of several subjects.
BY_NAME = {"nonzero": "indexing", "unravel_index": "indexing", "vmap": "views"}


@functools.cache
def functions() -> dict[str, list[Entry]]:
    """All functions of the modules above that belong to a subject."""
    found: dict[str, list[Entry]] = {}
    for short, module in MODULES.items():
        for subject, entry in _placed(short, module):
            found.setdefault(subject, []).append(entry)
    return found


def _placed(short: str, module: str) -> Iterator[tuple[str, Entry]]:
    """A hand-written function replaces the generated one of its name."""
    dotted = module.partition(".")[2]
    file = module_file(PACKAGE, dotted) if dotted else PACKAGE / "__init__.py"
    entries = {e.name: e for e in api_operators.generated(short)}
    if file.exists():
        entries |= {e.name: e for e in written(file, module) if e.kind == "function"}
    for name in sorted(entries):
        subject = BY_NAME.get(name) or SUBJECTS.get(entries[name].file) or subject_of(name, short)
        if subject is not None:
            yield subject, entries[name]


def subject_of(name: str, short: str) -> str | None:
    known = api_operators.subjects()
    return known.get(f"{short}_{name}") or known.get(name)


def of_subject(subject: str) -> list[Entry]:
    return functions().get(subject, [])
