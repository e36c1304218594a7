"""A small change and the findings of `opgen breaking` about it, for the tests of that command."""

from __future__ import annotations

import json
from pathlib import Path

from opgen.commands import run

OLD = """\
- func: scale(Tensor self, float factor=1.0) -> Tensor
- func: blur(Tensor self) -> Tensor
- func: _fold(Tensor self, int n) -> Tensor
- func: pick(Tensor self) -> Tensor
"""
NEW = """\
- func: scale(Tensor self, float by=1.0) -> Tensor
- func: _fold(Tensor self, int m) -> Tensor
- func: pick(Tensor self, int k=0) -> Tensor
"""


ALL = {
    ("arg-renamed", "error", "scale", 1),
    ("arg-renamed", "warning", "_fold", 2),
    ("op-removed", "error", "blur", 2),
    ("arg-added-defaulted-end", "note", "pick", 3),
}


def write(folder: Path) -> None:
    (folder / "old.yaml").write_text(OLD)
    (folder / "new.yaml").write_text(NEW)


def breaking(
    capsys, *arguments: str, new: str = "new.yaml", old: str = "old.yaml"
) -> tuple[int, list[tuple]]:
    """Returns the exit code, and (rule, severity, operator, line) of each finding."""
    code = run(["breaking", new, "--against", old, "--format", "json", *arguments])
    out = capsys.readouterr().out
    found = json.loads(out)["diagnostics"] if out else []
    return code, [(d["name"], d["severity"], d.get("operator"), d["line"]) for d in found]


def printed(format: str, capsys, *arguments: str) -> str:
    assert run(["breaking", "new.yaml", "--against", "old.yaml", "--format", format, *arguments]) in (0, 1)
    return capsys.readouterr().out


def accepted(rule: str, item: str, **more: str) -> str:
    values = {"rule": rule, "item": item, "reason": "we said so", **more}
    return "[[breaking.allow]]\n" + "".join(f'{key} = "{value}"\n' for key, value in values.items())
