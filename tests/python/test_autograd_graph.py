"""Subclasses, threads and argument checks of autograd's functions, and late imports."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest


@pytest.fixture(params=["aten", "torch"])
def T(request):
    return pytest.importorskip(request.param)


def leaf(T, *values):
    return T.tensor(values or 3.0, dtype=T.float64, requires_grad=True)


def test_hooks_belong_to_a_thread(T):
    calls = []
    x = leaf(T)
    with T.autograd.graph.saved_tensors_hooks(lambda t: calls.append(1) or t, lambda t: t):
        thread = threading.Thread(target=lambda: x * x)
        thread.start()
        thread.join()
    assert not calls


def test_save_on_cpu(T):
    x = leaf(T, 1.0, 2.0)
    with T.autograd.graph.save_on_cpu():
        y = (x * x).sum()
    y.backward()
    assert x.grad.tolist() == [2, 4]


def test_subclasses_see_backward_and_grad(T):
    called = []

    class Logged(T.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            called.append(getattr(func, "__name__", str(func)))
            return super().__torch_function__(func, types, args, kwargs)

    x = leaf(T, 1.0, 2.0)
    y = (x * x).sum().as_subclass(Logged)
    y.backward(retain_graph=True)
    assert "backward" in called and x.grad.tolist() == [2, 4]


def test_a_subclass_keeps_the_history(T):
    class Mine(T.Tensor):
        pass

    x = leaf(T, 1.0, 2.0)
    y = (x * x).as_subclass(Mine)
    assert type(y) is Mine and y.requires_grad and not y.is_leaf
    (y * 3).sum().backward()
    assert x.grad.tolist() == [6, 12]


def test_arguments_by_name(T):
    x = leaf(T, 1.0, 2.0)
    y = x * x
    y.backward(gradient=T.ones(2, dtype=T.float64), retain_graph=True, create_graph=False, inputs=[x])
    T.autograd.backward(tensors=[y], grad_tensors=[T.ones(2, dtype=T.float64)], retain_graph=True)
    assert x.grad.tolist() == [4, 8]
    (g,) = T.autograd.grad(outputs=y, inputs=[x], grad_outputs=T.ones(2, dtype=T.float64))
    assert g.tolist() == [2, 4]


@pytest.mark.parametrize(
    "call",
    [
        lambda T, x: T.autograd.grad(x),
        lambda T, x: T.autograd.grad(x, x, nothing=1),
        lambda T, x: T.autograd.backward(),
        lambda T, x: T.autograd.backward(x, tensors=x),
        lambda T, x: x.backward(None, None, False, None, None),
        lambda T, x: x.backward(what=3),
        lambda T, x: x.register_hook(),
        lambda T, x: T.autograd.graph.saved_tensors_hooks(1),
        lambda T, x: T.autograd.grad(3, x),
        lambda T, x: T.autograd.grad(x, 3),
    ],
)
def test_wrong_arguments(T, call):
    with pytest.raises(TypeError):
        call(T, leaf(T))


def test_submodules_are_imported_when_they_are_used():
    program = """
import sys, aten
for name in ("graph", "functional", "forward_ad", "gradcheck"):
    assert f"aten.autograd.{name}" not in sys.modules, name
assert "typing" not in sys.modules and "inspect" not in sys.modules and "functools" not in sys.modules
aten.autograd.graph.Node, aten.autograd.functional.vjp, aten.autograd.forward_ad.dual_level
assert callable(aten.autograd.gradcheck) and callable(aten.autograd.gradgradcheck)
from aten.autograd.gradcheck import GradcheckError, gradcheck
assert aten.autograd.gradcheck is gradcheck
try:
    aten.autograd.nothing
except AttributeError as e:
    assert "nothing" in str(e)
"""
    subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}{program}"], check=True
    )


def test_importing_the_checker_first_leaves_the_function():
    program = (
        "from aten.autograd.gradcheck import gradcheck as f; import aten; assert aten.autograd.gradcheck is f"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
