"""Gradients that are lost without an error: by a backend's kernel, or by a form unlike its functional one."""

from __future__ import annotations

import pytest
from front import NEWEST, checked, pytorch_yaml, shared
from opgen import pipeline

PARENT = "- func: g(Tensor self, int n) -> Tensor\n  dispatch:\n    CPU: g\n"
FORMULA = "- name: g(Tensor self, int n) -> Tensor\n  self: grad * n\n"


def found(functions: str, formulas: str = FORMULA) -> list[tuple[str, int, int]]:
    text = f"{PARENT}{functions}# derivatives.yaml\n{formulas}"
    return [(d.code, d.span.line, d.span.column) for d in checked(text)[1]]


def composite(schema: str, *kernels: str) -> str:
    lines = ["CompositeImplicitAutograd: f", *kernels]
    return f"- func: {schema}\n  dispatch:\n" + "".join(f"    {line}\n" for line in lines)


F = "f(Tensor self) -> Tensor"


@pytest.mark.parametrize("key", ["CPU", "CUDA", "SparseCPU", "MkldnnCPU", "XLA", "PrivateUse1"])
def test_a_backends_kernel_beside_a_composite(key):
    assert found(composite(F, f"{key}: f_own")) == [("OPG980", 7, 5)]


def test_the_keys_are_named():
    text = f"{PARENT}{composite(F, 'Meta: f_meta', 'CPU, CUDA: f_own')}# derivatives.yaml\n{FORMULA}"
    (fault,) = checked(text)[1]
    assert "no gradient for CPU, CUDA" in fault.message


@pytest.mark.parametrize(
    ("functions", "formulas"),
    [
        (composite(F, "CPU: f_own"), FORMULA + f"- name: {F}\n  self: grad\n"),
        (composite(F, "CPU: f_own"), FORMULA + f"- name: {F}\n  output_differentiability: [False]\n"),
        (composite(F, "Meta: f_own"), FORMULA),
        (composite(F, "QuantizedCPU: f_own"), FORMULA),
        (composite("f(Tensor self) -> int", "CPU: f_own"), FORMULA),
        (composite("f(int n) -> Tensor", "CPU: f_own"), FORMULA),
        (composite("f_backward(Tensor grad) -> Tensor", "CPU: f_own"), FORMULA),
        (f"- func: {F}\n  dispatch:\n    CompositeExplicitAutograd: f\n    CPU: g\n", FORMULA),
    ],
)
def test_no_gradient_is_lost(functions, formulas):
    assert found(functions, formulas) == []


def form(schema: str) -> str:
    return f"- func: {schema}\n  dispatch:\n    CPU: k\n"


@pytest.mark.parametrize(
    ("functions", "code"),
    [
        (form("g_(Tensor(a!) self, int m) -> Tensor(a!)"), "OPG981"),
        ("- func: g.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n", "OPG981"),
        (form("g.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!)"), "OPG704"),
    ],
)
def test_a_form_with_other_names_or_another_order(functions, code):
    assert found(functions) == [(code, 4, 9)]


@pytest.mark.parametrize(
    ("schema", "formulas"),
    [
        ("g_(Tensor(a!) self, int n) -> Tensor(a!)", FORMULA),
        ("g_(Tensor(a!) self, int n=1) -> Tensor(a!)", FORMULA),
        ("g.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)", FORMULA),
        (
            "g_(Tensor(a!) self, int m) -> Tensor(a!)",
            FORMULA + "- name: g_(Tensor(a!) self, int m) -> Tensor(a!)\n  self: grad * m\n",
        ),
        ("g_.x(Tensor(a!) self, int m) -> Tensor(a!)", FORMULA),
    ],
)
def test_forms_that_have_a_formula_or_are_others(schema, formulas):
    assert found(form(schema), formulas) == []


def test_other_types_are_reported_once():
    assert found(form("g_(Tensor(a!) self, float m) -> Tensor(a!)")) == [("OPG703", 4, 9)]


@pytest.mark.parametrize("release", ["installed", NEWEST])
def test_pytorchs_files_lose_none(release):
    functions = pytorch_yaml() if release == "installed" else shared("data", "pytorch", release)
    formulas = pytorch_yaml().parents[2] / "autograd/derivatives.yaml" if release == "installed" else None
    _, report = pipeline.load(functions, derivatives_file=formulas)
    assert not [d for d in report.diagnostics if d.code in ("OPG980", "OPG981")]
