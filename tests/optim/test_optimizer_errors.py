"""Errors of optimizers: those of PyTorch's own samples, and of groups, devices and implementations."""

from __future__ import annotations

import aten
import aten.optim
import pytest

torch = pytest.importorskip("torch")
from optimizer_pairs import FUSED, INFOS, converted  # noqa: E402


def cases():
    for name, info in INFOS.items():
        for i, case in enumerate(info.optim_error_inputs_func("cpu", torch.float32)):
            yield pytest.param(name, case, id=f"{name}-{i}")


@pytest.mark.parametrize(("name", "case"), list(cases()))
def test_samples(name, case):
    inputs, memo = case.optimizer_error_input, {}
    params = inputs.params if inputs.params is not None else [torch.ones(2, 2, requires_grad=True)]
    params, options = converted(params, memo), converted(inputs.kwargs, memo)
    make = getattr(aten.optim, name)
    if case.error_type is UserWarning:
        with pytest.warns(UserWarning, match=case.error_regex):
            make(params, **options)
        return
    if case.error_on.name == "STEP_ERROR":
        optimizer = make(params, **options)
        with pytest.raises(case.error_type, match=case.error_regex):
            optimizer.step()
        return
    with pytest.raises(case.error_type, match=case.error_regex):
        make(params, **options)


@pytest.mark.parametrize("name", FUSED)
def test_implementations_exclude_each_other(name):
    p = [aten.ones(2, requires_grad=True)]
    with pytest.raises(RuntimeError, match="`fused` and `foreach` cannot be `True` together"):
        getattr(aten.optim, name)(p, fused=True, foreach=True)
    with pytest.raises(RuntimeError, match="`fused` does not support `differentiable`"):
        getattr(aten.optim, name)(p, fused=True, differentiable=True)
    z = aten.ones(2, dtype=aten.complex64, requires_grad=True)
    z.grad = aten.ones_like(z)
    with pytest.raises(RuntimeError, match="requires all the params to be floating point Tensors"):
        getattr(aten.optim, name)([z], fused=True).step()


@pytest.mark.parametrize("T", [aten, torch], ids=["aten", "torch"])
def test_groups(T):
    p, q = T.ones(2, requires_grad=True), T.ones(2, requires_grad=True)
    optimizer = T.optim.SGD([p])
    for wrong, error, match in [
        ([q], TypeError, "param_group must be a dict"),
        ({"params": {q}}, TypeError, "ordered collections"),
        ({"params": [2.0]}, TypeError, "optimizer can only optimize Tensors, but one of the params is float"),
        ({"params": [q * 2]}, ValueError, "can't optimize a non-leaf Tensor"),
        ({"params": [p]}, ValueError, "some parameters appear in more than one parameter group"),
        ({"params": [("q", q)]}, ValueError, "cannot add param group with names to the optimizer"),
    ]:
        with pytest.raises(error, match=match):
            optimizer.add_param_group(wrong)
    assert len(optimizer.param_groups) == 1
    with pytest.raises(ValueError, match="optimizer got an empty parameter list"):
        T.optim.SGD([])
    with pytest.raises(ValueError, match="LBFGS doesn't support per-parameter options"):
        T.optim.LBFGS([{"params": [p]}, {"params": [q]}])


@pytest.mark.parametrize("T", [aten, torch], ids=["aten", "torch"])
def test_required_options(T):
    class Mine(T.optim.Optimizer):
        def step(self, closure=None):
            pass

    required = __import__(f"{T.__name__}.optim.optimizer", fromlist=["required"]).required
    p = T.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match="didn't specify a value of required optimization parameter lr"):
        Mine([p], {"lr": required})
    assert Mine([{"params": [p], "lr": 1.0}], {"lr": required}).param_groups[0]["lr"] == 1.0


@pytest.mark.parametrize("name", ["Adam", "RMSprop", "ASGD", "Rprop"])
@pytest.mark.parametrize("T", [aten, torch], ids=["aten", "torch"])
def test_capturable_needs_a_device(T, name):
    p = T.ones(2, requires_grad=True)
    p.grad = T.ones(2)
    with pytest.raises(AssertionError, match="If capturable=True, params"):
        getattr(T.optim, name)([p], capturable=True).step()


def test_step_is_abstract():
    p = aten.ones(2, requires_grad=True)
    with pytest.raises(NotImplementedError):
        aten.optim.Optimizer([p], {}).step()
