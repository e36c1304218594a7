"""Operators of a project in place of aten's that the library's own code calls."""

from __future__ import annotations

import pytest
from opgen import locate, pipeline
from opgen.select import called
from opgen.template_views.source import Source

BOTH = "\n  variants: function, method\n"
KERNEL = Source("ops/x/mine.cpp", "src/ops/x/mine.cpp", "OPS", b"", calls=frozenset({"logit"}))
USERS = Source("kernels/mine.cpp", "src/user/mine.cpp", "CPU", b"", calls=frozenset({"softplus"}))
TAKEN = {
    "as it is": "item(Tensor self) -> Scalar" + BOTH,
    "other names": "item(Tensor x) -> Scalar" + BOTH,
    "one more argument that may be left out": "item(Tensor self, int n=0) -> Scalar" + BOTH,
    "another overload": "item.at(Tensor self, int n) -> Scalar",
    "called by nobody": "asinh(Tensor self, int n) -> Tensor",
    "no method, where none is called": "logit(Tensor self, float? eps=None) -> Tensor",
    "called by the project": "softplus(Tensor self, int n) -> Tensor",
}
NOT_TAKEN = {
    "one more argument": "item(Tensor self, int n) -> Scalar" + BOTH,
    "an argument less": "is_nonzero() -> bool" + BOTH,
    "no method": "item(Tensor self) -> Scalar\n",
    "another result": "item(Tensor self) -> Tensor" + BOTH,
    "another type": "select.int(Tensor(a) self, Scalar dim, SymInt index) -> Tensor(a)" + BOTH,
    "a default less": "add.Tensor(Tensor self, Tensor other, *, Scalar alpha) -> Tensor" + BOTH,
    "called by a kernel": "logit(Tensor self, int n) -> Tensor" + BOTH,
}


@pytest.fixture(scope="module")
def shipped():
    return pipeline.load(locate.share() / "schemas", checked=False)[0]


def found(tmp_path, shipped, schema: str) -> list[str]:
    file = tmp_path / "f.yaml"
    file.write_text(f"- func: {schema}\n")
    own = pipeline.load(file, checked=False)[0]
    base = frozenset({"item", "is_nonzero", "select", "add"})
    return [d.message for d in called.otherwise(own, shipped, [KERNEL, USERS], base)]


@pytest.mark.parametrize("case", TAKEN)
def test_calls_that_it_takes(tmp_path, shipped, case):
    assert found(tmp_path, shipped, TAKEN[case]) == []


@pytest.mark.parametrize("case", NOT_TAKEN)
def test_calls_that_it_does_not_take(tmp_path, shipped, case):
    (message,) = found(tmp_path, shipped, NOT_TAKEN[case])
    caller = "ops/x/mine.cpp" if case == "called by a kernel" else "the runtime"
    assert message.startswith(f"{caller} calls this operator as '")
    assert ("with variants: " in message) == (case == "no method")
