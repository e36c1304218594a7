"""Single-fault copies of PyTorch's file: each fault is found, at the right line, and legal changes give no
fault.
"""

import hashlib
import json

from front import checked, pytorch_yaml, shared
from opgen.diagnostics import Severity


def test_mutants():
    manifest = json.loads(shared("data", "mutants", "manifest.json").read_text())
    data = pytorch_yaml().read_bytes()
    assert hashlib.sha256(data).hexdigest() == manifest["base_sha256"]
    lines = data.decode().split("\n")
    usual = {(d.code, d.message) for d in checked(data)[1]}
    errors = found = right = named = warnings = legal = 0
    for mutant in manifest["mutants"]:
        edit = mutant["edit"]
        text = "\n".join(lines[: edit["start"] - 1] + edit["lines"] + lines[edit["end"] - 1 :])
        new = [d for d in checked(text)[1] if (d.code, d.message) not in usual]
        if mutant["severity"] == "error":
            at = [d.span.line for d in new if d.severity is Severity.error]
            errors, found, right = errors + 1, found + bool(at), right + (mutant["line"] in at)
            # For two equal keys we report the second and name the first, too.
            named += mutant["line"] in [*at, *(r.span.line for d in new for r in d.related)]
        elif mutant["severity"] == "warning":
            warnings += 1
            assert mutant["line"] in [d.span.line for d in new], mutant["id"]
        else:
            legal += 1
            assert new == [], mutant["id"]
    rejected = sum(m["torchgen_stage"] is not None for m in manifest["mutants"] if m["severity"] == "error")
    print(f"\n{errors} errors: {found} found (torchgen: {rejected}), {right} at the line, {named} naming it")
    print(f"{warnings} warnings: all reported; {legal} legal edits: nothing said")
    assert found == errors
    assert right >= 0.98 * errors
    assert named == errors
