"""The calls that findings show, and which deprecated signatures are private."""

from __future__ import annotations

import pytest
from changes import findings, version
from opgen.breaking import calls

OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
DECLARED = f"""\
- func: make(int[] size, *, {OPTIONS}, MemoryFormat? memory_format=None) -> Tensor
- func: scale(Tensor self, *, Scalar by=1, bool whole=False) -> Tensor
"""


@pytest.mark.parametrize(
    ("name", "give", "call"),
    [
        ("make", [], "at::make({2, 2})"),
        ("make", ["memory_format"], "at::make({2, 2}, at::MemoryFormat::Contiguous)"),
        ("scale", [], "at::scale(self)"),
        ("scale", ["by"], "at::scale(self, 2)"),
        ("scale", ["whole"], "at::scale(self, 2, true)"),
    ],
)
def test_what_comes_before_an_argument_is_given_too(name: str, give: list[str], call: str) -> None:
    assert calls.cpp_call(version(DECLARED, "F").program.by_name[name], give) == call


@pytest.mark.parametrize(("name", "private"), [("f", False), ("_f", True), ("__and__", False)])
def test_a_deprecated_signature_is_private_by_its_name(name: str, private: bool) -> None:
    entry = f"- func: {name}(Tensor self) -> Tensor\n# deprecated.yaml\n"
    signature = f"- name: {name}(Tensor self, int k)\n  aten: {name}(self)\n"
    (found,) = findings(entry + signature, entry + "[]\n")
    assert found.rule.name == "deprecated-signature-removed" and found.private == private
