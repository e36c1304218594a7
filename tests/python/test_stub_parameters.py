"""The stubs beside PyTorch's own: functions in both have the same parameters, by name, kind and default."""

from __future__ import annotations

import ast
import importlib.util
from collections import defaultdict
from pathlib import Path

import aten
import pytest

torch_found = importlib.util.find_spec("torch")
if torch_found is None:
    pytest.skip("needs PyTorch, the oracle (extra 'oracle')", allow_module_level=True)

OURS = Path(aten.__file__).with_name("__init__.pyi")
THEIRS = Path(torch_found.origin).parent / "_C"
# Forms that PyTorch's stubs don't have, and why.
OTHER = {
    "div": "PyTorch's say in one form that rounding_mode may be left out",
    "relu": "relu.out is an operator of its own here",
    "result_type": "one form takes tensors and numbers alike",
    "Tensor.add": "PyTorch's give the method an out",
    "Tensor.copy_": "PyTorch's method has src, as ours",
    "Tensor.cpu": "there is no memory format to ask for",
    "Tensor.div": "PyTorch's say in one form that rounding_mode may be left out",
    "Tensor.div_": "PyTorch's say in one form that rounding_mode may be left out",
    "Tensor.floor_divide": "PyTorch's give the method an out",
    "Tensor.mul": "PyTorch's give the method an out",
    "Tensor.new_tensor": "keywords only, as PyTorch's function takes them",
    "Tensor.new": "one form for sizes and data",
    "Tensor.set_": "one form for tensors and storages",
    "Tensor.requires_grad_": "PyTorch's method has requires_grad, as ours",
    "Tensor.sub": "PyTorch's give the method an out",
    "Tensor.true_divide": "PyTorch's give the method an out",
    "Tensor._make_subclass": "the data alone says what it is",
    **dict.fromkeys(
        (f"Tensor.{n}" for n in "bfloat16 bool byte char double float half int long short".split()),
        "PyTorch's method takes a memory format, as ours",
    ),
}


def forms(body: list[ast.stmt]) -> dict[str, set[tuple[str, ...]]]:
    """Returns the parameters of each form of each function: `name`, `name=` with a default, `*names`,
    `/keyword`.
    """
    found = defaultdict(set)
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
            found[node.name].add(tuple(parameters(node.args)))
    return found


def parameters(a: ast.arguments) -> list[str]:
    positional = [*a.posonlyargs, *a.args]
    required = len(positional) - len(a.defaults)
    names = [p.arg + "=" * (i >= required) for i, p in enumerate(positional)]
    names += [f"*{a.vararg.arg}"] if a.vararg else []
    keywords = zip(a.kwonlyargs, a.kw_defaults, strict=True)
    return names + [f"/{p.arg}" + "=" * (default is not None) for p, default in keywords]


def statements(file: Path, inside: str | None = None) -> list[ast.stmt]:
    body = ast.parse(file.read_text(encoding="utf-8")).body
    if inside is None:
        return body
    return next(n.body for n in body if isinstance(n, ast.ClassDef) and n.name == inside)


FUNCTIONS = forms(statements(OURS)), forms(statements(THEIRS / "_VariableFunctions.pyi"))
METHODS = forms(statements(OURS, "Tensor")), forms(statements(THEIRS / "__init__.pyi", "TensorBase"))


@pytest.mark.parametrize(("tables", "prefix", "least"), [(FUNCTIONS, "", 400), (METHODS, "Tensor.", 400)])
def test_forms_are_pytorchs(tables, prefix, least):
    ours, theirs = tables
    both = ours.keys() & theirs.keys()
    assert len(both) > least
    other = {f"{prefix}{name}" for name in both if ours[name] - theirs[name]}
    assert other == {n for n in OTHER if n.startswith("Tensor.") == bool(prefix)}
