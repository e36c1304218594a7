"""The commands' output for people, word for word: a few commands on a small project, kept in printed.txt.

`UPDATE_SNAPSHOT=1 pytest tests/cli/report/test_printed.py` rewrites it: read the diff before committing.
"""

from __future__ import annotations

import os
from pathlib import Path

import breaking_pair
from opgen.commands import run

SNAPSHOT = Path(__file__).with_name("printed.txt")
MANY = ", ".join(f"int number_{i}" for i in range(12))
FILES = {
    "ops/native_functions.yaml": """\
- func: soften(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  variants: function, method
  structured_delegate: soften.out
- func: soften_(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
  variants: method
  structured_delegate: soften.out
- func: soften.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA: soften_out
- func: halve_at(Tensor(a) self, int[2]? at=None) -> Tensor(a)
  variants: function, method
- func: widen(Tensor self, SymInt[2] by) -> Tensor
  dispatch:
    CompositeExplicitAutograd: widen
  autogen: widen.out
- func: both.names(Tensor self, str how="x") -> (Tensor low, Tensor? high)
  python_module: nn
- func: filled_as(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, \
bool? pin_memory=None) -> Tensor
  dispatch:
    CompositeExplicitAutograd: filled_as
""",
    "ops/derivatives.yaml": """\
- name: soften(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  self: grad
  other: grad * alpha
  result: self_t + other_t * alpha
""",
    "ops/kernels/halve_at.cpp": """\
namespace at::native {
Tensor halve_at(const Tensor& self, OptionalIntArrayRef at) {
  return self;
}
}
""",
    "bad.yaml": """\
- func: f(Tensr self) -> Tensor
  variants: metod
- func: f_(Tensor(a!) self) -> Tensor
- func: g(Tensor self) -> Tensor
- func: g(Tensor self) -> Tensor
""",
    "long.yaml": f"- func: f(Tensor self, {MANY}, Tensr last, {MANY.replace('number', 'more')}) -> Tensor\n",
    "one.yaml": f"- func: f(Tensor self, {MANY}, int last, {MANY.replace('number', 'more')}) -> Tensor\n",
    "two.yaml": f"- func: f(Tensor self, {MANY}, float last, {MANY.replace('number', 'more')}) -> Tensor\n",
    "many.yaml": "".join(f"- func: many.o{i}(Tensor self) -> Tensor\n" for i in range(3)),
    "few.yaml": "- func: many.o0(Tensor self) -> Tensor\n",
}
BREAKING = "breaking new.yaml --against old.yaml"
COMMANDS = (
    *("validate bad.yaml", "validate ops", "validate ops --format concise", "validate bad.yaml ops"),
    *("validate bad.yaml --format concise", "validate bad.yaml --diff", "validate long.yaml"),
    *(BREAKING, f"{BREAKING} --format markdown", f"{BREAKING} --notes", f"{BREAKING} --for abi"),
    *(f"{BREAKING} --check-bump 1.4.0 1.5.0", "breaking two.yaml --against one.yaml"),
    *("breaking old.yaml --against old.yaml", "breaking few.yaml --against many.yaml"),
    *("breaking empty.yaml --against many.yaml", "breaking many.yaml --against few.yaml --notes"),
    *("dispatch soften.out ops", "dispatch halve_at ops --register CPU --register AutogradCPU"),
    *(f"explain {name} ops" for name in ("soften", "soften_", "halve_at", "widen.out", "both", "filled_as")),
    *(f"explain {code}" for code in ("OPG108", "OPG978", "OPB201")),
)


def test_what_is_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    breaking_pair.write(tmp_path)
    for name, text in {**FILES, "empty.yaml": ""}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    shown = []
    for command in COMMANDS:
        code = run(command.split())
        out, err = capsys.readouterr()
        shown.append(f"$ opgen {command}\n{out}{err}[{code}]\n\n")
    text = "".join(shown)
    if os.environ.get("UPDATE_SNAPSHOT"):
        SNAPSHOT.write_text(text, encoding="utf-8")
    assert text == SNAPSHOT.read_text(encoding="utf-8")
