"""The same optimizer of aten and of PyTorch, with the same parameters and gradients."""

from __future__ import annotations

import aten
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from torch.testing._internal.common_optimizers import optim_db  # noqa: E402

INFOS = {info.name: info for info in optim_db if info.name != "SparseAdam"}
FUSED = ("SGD", "Adam", "AdamW", "Adagrad")
SHAPES = ((3, 4), (2, 5), (4, 2), (1, 3))
VECTORS = ((3, 4), (5,), (2, 3, 2), (), (7,))


def converted(value, memo=None):
    """The value with PyTorch's tensors as ours; the same tensor stays the same one."""
    memo = {} if memo is None else memo
    if isinstance(value, torch.Tensor):
        if id(value) not in memo:
            copy = aten.from_numpy(value.detach().numpy().copy())
            memo[id(value)] = copy.requires_grad_(value.requires_grad)
            if value.grad is not None:
                copy.grad = aten.from_numpy(value.grad.numpy().copy())
        return memo[id(value)]
    if isinstance(value, dict):
        return {k: converted(v, memo) for k, v in value.items()}
    return type(value)(converted(v, memo) for v in value) if isinstance(value, (list, tuple)) else value


def random(shapes, seed, dtype="float64"):
    """Arrays of values in (-1, 1), the same for the same seed."""
    generator = np.random.default_rng(seed)
    parts = 2 if dtype.startswith("complex") else 1
    arrays = []
    for shape in shapes:
        values = [generator.uniform(-1, 1, shape) for _ in range(parts)]
        arrays.append(np.asarray(values[0] + 1j * values[1] if parts == 2 else values[0]))
    return arrays


def tensor(T, array, dtype="float64"):
    return T.tensor(array.tolist(), dtype=getattr(T, dtype))


def parameters(T, shapes, dtype="float64"):
    return [tensor(T, a, dtype).requires_grad_() for a in random(shapes, 0, dtype)]


def set_gradients(T, params, step, dtype="float64"):
    """Gradients of a step; the second parameter has none in step 1."""
    shapes = [tuple(p.shape) for p in params]
    for i, (p, a) in enumerate(zip(params, random(shapes, 1 + step, dtype), strict=True)):
        p.grad = None if (step, i) == (1, 1) else tensor(T, a, dtype)


def array(t):
    wide = {"bfloat16": "float32", "float16": "float32"}.get(str(t.dtype).split(".")[-1])
    t = (
        t.detach()
        if wide is None
        else t.detach().to(getattr(aten if isinstance(t, aten.Tensor) else torch, wide))
    )
    return np.array(t.tolist())


def assert_same(ours, theirs, rtol, atol=0.0, dtypes=True):
    """Nested values with tensors are the same in structure, and close."""
    if isinstance(theirs, torch.Tensor) or isinstance(ours, aten.Tensor):
        if isinstance(theirs, torch.Tensor) and isinstance(ours, aten.Tensor):
            if dtypes:
                assert str(ours.dtype).split(".")[-1] == str(theirs.dtype).split(".")[-1]
            assert tuple(ours.shape) == tuple(theirs.shape)
        values = [array(v) if isinstance(v, (torch.Tensor, aten.Tensor)) else v for v in (ours, theirs)]
        np.testing.assert_allclose(*values, rtol=rtol, atol=atol)
    elif isinstance(theirs, dict):
        assert sorted(map(str, ours)) == sorted(map(str, theirs))
        for key in theirs:
            assert_same(ours[key], theirs[key], rtol, atol, dtypes)
    elif isinstance(theirs, (list, tuple)):
        assert type(ours) is type(theirs) and len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            assert_same(a, b, rtol, atol, dtypes)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=max(rtol, 1e-12), abs=atol)
    else:
        assert ours == theirs


def optimizer_of(T, name="SGD", tensor_lr=False):
    rates = [T.tensor(lr, dtype=T.float64) if tensor_lr else lr for lr in (0.05, 0.5)]
    params = [T.ones(1, requires_grad=True) for _ in rates]
    groups = [{"params": [p], "lr": lr} for p, lr in zip(params, rates, strict=True)]
    return getattr(T.optim, name)(groups, **({"momentum": 0.9} if name == "SGD" else {}))


def options(optimizer):
    return [
        [float(g["lr"]), g["momentum"] if "momentum" in g else g["betas"]] for g in optimizer.param_groups
    ]


def flat(values):
    return [x for v in values for x in (flat(v) if isinstance(v, (list, tuple)) else [float(v)])]


def trace(optimizer, scheduler, steps):
    found = [options(optimizer)]
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        found.append(options(optimizer))
        assert [float(lr) for lr in scheduler.get_last_lr()] == [lr for lr, _ in found[-1]]
    return flat(found)


def to_torch(value):
    if isinstance(value, aten.Tensor):
        return torch.tensor(value.tolist(), dtype=getattr(torch, str(value.dtype).split(".")[-1]))
    if isinstance(value, dict):
        return {k: to_torch(v) for k, v in value.items()}
    return type(value)(map(to_torch, value)) if isinstance(value, (list, tuple)) else value


def closure(T, optimizer, params):
    def evaluate():
        optimizer.zero_grad()
        loss = sum(((p - 1) ** 2 * (p + 2) ** 2).sum() for p in params)
        loss.backward()
        return loss

    return evaluate
