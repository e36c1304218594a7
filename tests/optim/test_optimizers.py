"""Steps of all optimizers, compared with PyTorch's."""

from __future__ import annotations

import sys

import aten
import aten.optim
import pytest

torch = pytest.importorskip("torch")
from optimizer_pairs import (  # noqa: E402
    FUSED,
    INFOS,
    SHAPES,
    VECTORS,
    array,
    assert_same,
    converted,
    parameters,
    random,
    set_gradients,
    tensor,
)

LISTS = [name for name in INFOS if name != "LBFGS"]


def cases():
    for name in LISTS:
        options = INFOS[name].optim_inputs_func("cpu")
        ways = [{}]
        if name != "Muon":
            ways += [{"foreach": True}, {"foreach": False}]
        if name in FUSED:
            ways += [{"fused": True}, {"fused": False}]
        for i, option in enumerate(options):
            for way in ways:
                yield pytest.param(name, option.kwargs, way, id=f"{name}-{i}-{way}")


def run(T, name, options, steps=4, dtype="float64", shapes=VECTORS):
    params = parameters(T, shapes, dtype)
    optimizer = getattr(T.optim, name)(params, **options)
    for step in range(steps):
        set_gradients(T, params, step, dtype)
        optimizer.step()
    return params, optimizer


def tolerance(name, options):
    """Tensors of rates are of float32 in PyTorch's computations, and ASGD's and NAdam's states too."""
    if name == "Muon":
        return 2e-2, 1e-4  # its iterations are of bfloat16
    return (1e-5, 1e-8) if isinstance(options.get("lr"), torch.Tensor) else (1e-9, 1e-12)


@pytest.mark.parametrize(("name", "options", "way"), list(cases()))
def test_steps(name, options, way):
    shapes = SHAPES if name == "Muon" else VECTORS
    ours = run(aten, name, converted({**options, **way}), shapes=shapes)
    theirs = run(torch, name, options if name == "Muon" else {**options, "foreach": False}, shapes=shapes)
    rtol, atol = tolerance(name, options)
    assert_same(ours[0], theirs[0], rtol, atol)
    assert_same(ours[1].state_dict()["state"], theirs[1].state_dict()["state"], rtol, atol)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16", "complex64"])
@pytest.mark.parametrize("name", LISTS)
def test_dtypes(name, dtype):
    if dtype == "complex64" and not INFOS[name].supports_complex:
        pytest.skip("PyTorch refuses complex parameters too")
    shapes = SHAPES if name == "Muon" else VECTORS
    low = dtype.endswith("float16")
    options = {"eps": 1e-2} if low and name in ("Adam", "AdamW", "NAdam", "RAdam", "RMSprop") else {}
    ours, _ = run(aten, name, options, 3, dtype, shapes)
    theirs, _ = run(torch, name, options, 3, dtype, shapes)
    rtol, atol = (3e-2, 3e-2) if low else tolerance(name, {}) if name == "Muon" else (1e-5, 1e-6)
    assert_same(ours, theirs, rtol, atol)


@pytest.mark.parametrize("name", [n for n in LISTS if "differentiable" in INFOS[n].supported_impls])
@pytest.mark.parametrize("options", [{}, {"weight_decay": 0.1, "maximize": True}])
def test_differentiable(name, options):
    """The derivative of what two steps make of a parameter, by the parameter and by the gradients."""
    if name == "Rprop" and options:
        options = {"maximize": True}
    found = []
    for T in (aten, torch):
        (start,) = parameters(T, [(3, 2)])
        p = start.clone()
        optimizer = getattr(T.optim, name)([p], differentiable=True, **options)
        inputs = [start]
        (gradient,) = parameters(T, [(3, 2)])
        inputs.append(gradient)
        p.grad = gradient * start
        optimizer.step()
        (p * p).sum().backward()
        found.append([t.grad for t in inputs])
    # PyTorch's Adam computes the rates of differentiable steps in float32
    assert_same(found[0], found[1], 1e-6 if name.startswith("Adam") else 1e-9, 1e-12)


@pytest.mark.parametrize("name", [n for n in LISTS if "differentiable" in INFOS[n].supported_impls])
def test_differentiable_steps_in_a_row(name):
    """Backward needs what the first step computed, which later steps must not overwrite."""

    def last(x):
        p = x.clone()
        optimizer = getattr(aten.optim, name)([p], differentiable=True)
        for step in range(3):
            p.grad = (p.clone() ** 2 + step).cos()
            optimizer.step()
        return p

    (start,) = parameters(aten, [(2, 2)])
    assert aten.autograd.gradcheck(last, (start,), eps=1e-7, atol=1e-5)


@pytest.mark.parametrize("name", LISTS)
def test_groups_have_their_options(name):
    def run_groups(T):
        params = parameters(T, SHAPES)
        optimizer = getattr(T.optim, name)(
            [{"params": params[:2], "lr": 0.02}, {"params": params[2]}], lr=0.01
        )
        optimizer.add_param_group({"params": params[3:], "lr": 0.03})
        for step in range(3):
            set_gradients(T, params, step)
            optimizer.step()
        return params

    rtol, atol = tolerance(name, {})
    assert_same(run_groups(aten), run_groups(torch), rtol, atol)


@pytest.mark.parametrize("name", LISTS)
def test_mixed_dtypes_and_strides(name):
    """Parameters of several dtypes in a group, transposed, with gradients of other strides."""

    def run_mixed(T):
        a, b, c = parameters(T, [(3, 4), (3, 4), (4, 3)])
        params = [
            a.detach().float().requires_grad_(),
            b,
            c.detach().t().requires_grad_(),
        ]
        optimizer = getattr(T.optim, name)(params, lr=0.01)
        for step in range(3):
            fresh = [tensor(T, a) for a in random([(4, 3)] * 3, step)]
            params[0].grad = fresh[0].t().float()
            params[1].grad = fresh[1].t()
            params[2].grad = fresh[2].t().contiguous()
            optimizer.step()
        return params

    assert_same(run_mixed(aten), run_mixed(torch), *((2e-2, 1e-4) if name == "Muon" else (1e-5, 1e-7)))


@pytest.mark.parametrize("name", LISTS)
def test_number_of_calls_is_constant(name, monkeypatch):
    """A step calls as many operators for 12 parameters as for 3."""
    if name in ("Muon", "Adafactor"):
        pytest.skip("orthogonal matrices and means of rows have no operators of lists")
    called = []

    class Counted:
        def __init__(self, functions):
            self.functions = functions

        def __getattr__(self, function):
            called.append(function)
            return getattr(self.functions, function)

    cls = getattr(aten.optim, name)
    for module in {"aten.optim._lists", "aten.optim.adam", cls._update.__module__}:
        for place in ("_functions", "lists"):
            if hasattr(sys.modules[module], place):
                monkeypatch.setattr(f"{module}.{place}", Counted(getattr(sys.modules[module], place)))

    def calls(number, options):
        params = parameters(aten, [(2, 2)] * number)
        optimizer = cls(params, **options)
        for p in params:
            p.grad = aten.ones_like(p)
        optimizer.step()
        called.clear()
        optimizer.step()
        return called.copy()

    for options in [{}, {"foreach": True, "maximize": True}]:
        assert calls(3, options) == calls(12, options) != []


@pytest.mark.parametrize("name", FUSED)
def test_fused_is_the_default_of_floating_point_on_the_cpu(name):
    for way in ({}, {"foreach": True}):
        ours, _ = run(aten, name, way, dtype="float32")
        fused, _ = run(aten, name, {"fused": True}, dtype="float32")
        same = all((array(a) == array(b)).all() for a, b in zip(ours, fused, strict=True))
        if not way:
            assert same
        assert_same(ours, [torch.tensor(array(t)).float() for t in fused], 1e-5, 1e-6)


def test_tensor_options_that_require_grad_are_refused():
    p = aten.ones(2, requires_grad=True)
    p.grad = aten.ones(2)
    optimizer = aten.optim.SGD([p], lr=aten.tensor(0.1, requires_grad=True))
    with pytest.raises(RuntimeError, match="lr: an option that requires grad is not supported"):
        optimizer.step()
