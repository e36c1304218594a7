"""The tree of a trace: modules, functions, operators, and what operators call."""

from __future__ import annotations

import contextlib
import inspect
import threading
from typing import Any

import aten
import pytest
from aten import nn
from aten.export import ExportError, trace
from aten.nn import functional as F
from aten.nn.functional import dropout


def lines(f: Any, *args: Any, **kwargs: Any) -> list[str]:
    """The tree's lines without results and places: depth, kind and name."""
    text = str(trace(f, *args, **kwargs)).splitlines()
    named = [line.split("  # ")[0].split(" -> ")[0] for line in text]
    return [f"{(len(n[9:]) - len(n[9:].lstrip())) // 2} {n[:9].strip()} {n[9:].strip()}" for n in named]


def test_a_convolution_down_to_the_kernel() -> None:
    assert lines(nn.Conv2d(2, 3, 3), aten.randn(1, 2, 5, 5)) == [
        "0 module aten.nn.Conv2d",
        "1 function aten.conv2d",
        "2 operator aten::conv2d",
        "3 operator aten::convolution",
        "4 operator aten::convolution_overrideable",
    ]


def test_results_and_places_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: aten.Tensor) -> aten.Tensor:
        return F.relu(x)

    _, first = inspect.getsourcelines(f)
    made = trace(f, aten.randn(2, 3))
    made.show()
    shown = capsys.readouterr().out
    assert shown.strip() == str(made)
    place = f'"{__file__}", line {first + 1}, in f'
    assert shown.splitlines()[0] == f"function aten.nn.functional.relu -> f32[2, 3]  # {place}"


def test_what_kernels_call_is_shown_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    made = trace(nn.Conv2d(2, 3, 3), aten.randn(1, 2, 5, 5))
    assert "aten::empty" not in str(made)
    made.show(kernels=True)
    assert "aten::empty.memory_format -> f32[1, 3, 3, 3]" in capsys.readouterr().out


class Head(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.activation = F.relu
        self.was_relu = False

    def forward(self, x: aten.Tensor) -> aten.Tensor:
        self.was_relu = self.activation is F.relu
        return dropout(self.activation(self.linear(x)), 0.5, training=False)


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head = Head()
        self.layers = nn.ModuleList([nn.Linear(4, 4), self.head])

    def forward(self, x: aten.Tensor) -> aten.Tensor:
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def modules(made: str) -> list[str]:
    return [line.split()[1].rstrip(":") for line in made.splitlines() if line.startswith("module")]


def test_a_shared_module_is_named_by_its_first_path() -> None:
    made = str(trace(Network(), aten.randn(2, 4)))
    assert modules(made) == ["Network", "layers.0", "head", "head.linear", "head", "head.linear"]


def test_functions_in_python_are_seen_wherever_their_names_are_kept() -> None:
    head = Head()
    found = [line for line in lines(head, aten.randn(2, 4)) if line.startswith("1 function")]
    assert found == ["1 function aten.nn.functional.relu", "1 function aten.nn.functional.dropout"]
    assert head.was_relu


def test_modules_outside_of_the_traced_function_are_named_by_class() -> None:
    layers = [nn.Linear(3, 3), nn.Linear(3, 3), nn.Sequential(nn.ReLU())]

    def f(x: aten.Tensor) -> aten.Tensor:
        for layer in layers:
            x = layer(x)
        return x

    made = trace(f, aten.randn(2, 3))
    assert modules(str(made)) == ["linear", "linear_1", "sequential", "sequential.0"]
    assert [i.target for i in made.graph().inputs if i.kind == "parameter"] == [
        "linear.weight",
        "linear.bias",
        "linear_1.weight",
        "linear_1.bias",
    ]


def test_the_backward_pass_is_recorded() -> None:
    def f(x: aten.Tensor) -> aten.Tensor:
        return aten.autograd.grad(F.softmax(x, 0).sum(), x)[0]

    made = trace(f, aten.randn(3, requires_grad=True))
    assert "aten::_softmax_backward_data" in [n.target for n in made.graph().nodes]


def codes() -> list[Any]:
    return [nn.Module.__call__, F.dropout.__code__, F.relu.__code__, aten.tensor.__code__]


def test_nothing_is_intercepted_after_a_trace() -> None:
    def fails(x: aten.Tensor) -> None:
        assert F.dropout.__code__ is not before[1] and nn.Module.__call__ is not before[0]
        raise ValueError("no")

    before = codes()
    with pytest.raises(ExportError, match="ValueError: no"):
        trace(fails, aten.ones(2))
    assert codes() == before
    trace(F.relu, aten.ones(2))
    assert codes() == before


def test_other_threads_are_not_recorded() -> None:
    def f(x: aten.Tensor) -> aten.Tensor:
        other = threading.Thread(target=lambda: nn.Linear(2, 2)(F.dropout(x)))
        other.start()
        other.join()
        return x + 1

    assert lines(f, aten.ones(2)) == ["0 function aten.Tensor.add", "1 operator aten::add.Tensor"]


def test_an_error_names_the_operator_the_module_and_the_line() -> None:
    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Sequential(nn.Linear(3, 4))

        def forward(self, x: aten.Tensor) -> aten.Tensor:
            return self.inner(x)

    with pytest.raises(ExportError) as caught:
        trace(Outer(), aten.randn(2, 2))
    text = str(caught.value)
    assert "operator aten::addmm in module 'inner.0'" in text
    assert f'"{__file__}", line ' in text and "in forward" in text
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_a_caught_error_is_not_in_the_graph() -> None:
    def f(x: aten.Tensor) -> aten.Tensor:
        with contextlib.suppress(RuntimeError):
            x @ aten.ones(7)
        return x + 1

    made = trace(f, aten.ones(2))
    assert "aten::matmul -> failed" in str(made)
    assert [n.target for n in made.graph().nodes] == ["aten::ones", "aten::add.Tensor"]


def test_a_trace_inside_of_a_trace_is_refused() -> None:
    with pytest.raises(ExportError, match="pre-dispatch mode is active"):
        trace(lambda x: trace(F.relu, x).result, aten.ones(2))


def test_meta_tensors() -> None:
    made = trace(nn.Linear(3, 4, device="meta"), aten.empty(2, 3, device="meta"))
    (node,) = made.graph().nodes
    assert node.target == "aten::linear" and node.meta.sizes == (2, 4) and node.meta.device.type == "meta"
