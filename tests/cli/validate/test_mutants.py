"""Single-fault copies of PyTorch's file: each fault is found, at the right line, and legal changes give no
fault.
"""

import functools
import hashlib
import json
from collections import Counter
from typing import Any

import pytest
from front import checked, pytorch_yaml, shared
from opgen.diagnostics import Severity
from parts import parts

PARTS = 8  # of the mutants: each parses PyTorch's file again
# Of two lines that contradict each other, the error is at the second, and names the first, the mutant's.
AT_THE_OTHER = ("229-dispatch-key-twice", "230-dispatch-key-twice", "287-structured-dropped")


@functools.cache
def usual() -> set[tuple[str, str]]:
    """Returns what is said of PyTorch's own file."""
    return {(d.code, d.message) for d in checked(pytorch_yaml().read_bytes())[1]}


def said_of(mutant: dict[str, Any], lines: list[str]) -> list[Any]:
    """Returns what is said of a mutant only."""
    edit = mutant["edit"]
    text = "\n".join(lines[: edit["start"] - 1] + edit["lines"] + lines[edit["end"] - 1 :])
    return [d for d in checked(text)[1] if (d.code, d.message) not in usual()]


@pytest.mark.parametrize("part", parts(PARTS, all_runs=2))
def test_mutants(part: int) -> None:
    manifest = json.loads(shared("data", "mutants", "manifest.json").read_text())
    data = pytorch_yaml().read_bytes()
    assert hashlib.sha256(data).hexdigest() == manifest["base_sha256"]
    lines = data.decode().split("\n")
    count: Counter[str] = Counter()
    for mutant in manifest["mutants"][part::PARTS]:
        count[mutant["severity"]] += 1
        new = said_of(mutant, lines)
        if mutant["severity"] == "error":
            at = [d.span.line for d in new if d.severity is Severity.error]
            named = [r.span.line for d in new for r in d.related]
            assert mutant["line"] in (named if mutant["id"] in AT_THE_OTHER else at), mutant["id"]
        elif mutant["severity"] == "warning":
            assert mutant["line"] in [d.span.line for d in new], mutant["id"]
        else:
            assert new == [], mutant["id"]
    assert count["error"] > 0
