"""No operator has special treatment: the runtime, the templates and the bindings name only those of
schemas/base.yaml.
"""

from __future__ import annotations

import re

import yaml
from house import ROOT, files, name

# Ways in which C++ refers to an operator, other than by a kernel's declaration.
USES = re.compile(
    r"\b_ops::([a-zA-Z_]\w*)|<ATen/ops/(\w+?)(?:_ops|_native|_meta)?\.h>|\"aten::([a-z_]\w*)[.\"]"
)
# ATen has a hand-written function of this name: using it does not call an operator.
NO_OPERATOR = "from_blob"
FOLDERS = ("core", "templates", "python/bindings")


def base_names() -> set[str]:
    names = yaml.safe_load((ROOT / "schemas" / "base.yaml").read_text(encoding="utf-8"))
    plain = {n.partition(".")[0] for n in names}
    return {NO_OPERATOR} | plain | {n.replace(".", "_") for n in names} | {n.removesuffix("_") for n in plain}


def test_only_base_operators_are_named():
    known = base_names()
    bad = []
    for folder in FOLDERS:
        for file in files(folder, ".h", ".cpp", ".mako", ".in", ".cmake", ".txt"):
            for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                for match in USES.finditer(text.partition("//")[0]):
                    operator = next(filter(None, match.groups()))
                    if operator not in known:
                        bad.append(f"{name(file)}:{line}: {operator}")
    assert not bad


def test_base_operators_are_declared():
    declared = (ROOT / "schemas" / "native_functions.yaml").read_text(encoding="utf-8")
    names = yaml.safe_load((ROOT / "schemas" / "base.yaml").read_text(encoding="utf-8"))
    assert not [n for n in names if f"- func: {n}(" not in declared]
