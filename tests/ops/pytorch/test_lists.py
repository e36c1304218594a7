"""Operators on lists of tensors, and the fused steps of optimizers, give PyTorch's results."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import aten
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)
pytest.importorskip("expecttest", reason="PyTorch's samples need expecttest")

from opinfo import both, case_id, copied  # noqa: E402
from oracle import assert_same, to_aten  # noqa: E402
from tensors import DEVICE  # noqa: E402
from thinned import thinned  # noqa: E402
from torch.testing._internal import common_methods_invocations as database  # noqa: E402

pytestmark = [pytest.mark.thins, pytest.mark.skipif(DEVICE != "cpu", reason="on the CPU only")]

KINDS = ("unary", "binary", "pointwise", "reduce", "other")
ENTRIES = [op for kind in KINDS for op in getattr(database, f"foreach_{kind}_op_db")]
DTYPES = (torch.float32, torch.int64, torch.bool, torch.bfloat16, torch.complex64)
SAMPLES = 8


def cases() -> Iterator[Any]:
    for op, dtype in itertools.product(ENTRIES, DTYPES):
        marks = [] if dtype is torch.float32 else [pytest.mark.slow]
        yield pytest.param(op, dtype, id=case_id(op, dtype), marks=marks)


@pytest.mark.parametrize(("op", "dtype"), list(cases()))
def test_of_lists(op: Any, dtype: Any) -> None:
    for sample in thinned(list(op.sample_inputs("cpu", dtype, noncontiguous=False)), SAMPLES):
        for suffix in ("", "_"):
            theirs = getattr(torch, f"{op.name}{suffix}", None)
            if theirs is None:
                continue
            ours = getattr(aten, f"{op.name}{suffix}")
            what = f"{op.name}{suffix} {[tuple(t.shape) for t in sample.input][:3]}.. {sample.args}"[:400]
            args, kwargs = copied(((sample.input, *sample.args), sample.kwargs))
            given = database.SampleInput(args[0], args=args[1:], kwargs=kwargs)
            try:
                theirs(*copied(args), **kwargs)
            except (RuntimeError, TypeError):
                with pytest.raises((RuntimeError, TypeError)):
                    ours(*to_aten(args), **to_aten(kwargs))
                continue
            both(ours, theirs, given, what, op)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "maximum", "minimum", "pow"])
def test_a_first_tensor_without_dimensions_is_no_number(name: str) -> None:
    lists = ([torch.tensor(3.0), torch.ones(3)], [torch.tensor(2.0), torch.full((3,), 5.0)])
    expected = getattr(torch, f"_foreach_{name}")(*lists)
    assert_same(getattr(aten, f"_foreach_{name}")(*to_aten(lists)), expected, name)


# ---- fused steps

SHAPES = ((33, 65), (7,), (), (0,), (3, 5))
FLOATS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
TOLERANCES = {"float32": (1e-6, 1e-6), "float64": (1e-13, 1e-13)}


def filled(dtype: Any, seed: int, low: float = -1) -> list[Any]:
    made = torch.Generator().manual_seed(seed)
    tensors = [torch.rand(shape, generator=made) * (1 - low) + low for shape in SHAPES]
    tensors[-1] = tensors[-1].t().contiguous().t()  # another order in memory
    return [t.to(dtype) for t in tensors]


def steps_of(count: int) -> list[Any]:
    return [torch.tensor(float(count)) for _ in SHAPES]


ADAM = {
    "beta1": (0.9, 0.3),
    "weight_decay": (0.0, 0.1),
    "amsgrad": (False, True),
    "maximize": (False, True),
    "grad_scale": (None, 4.0),
}
SGD = {
    "weight_decay": (0.0, 0.1),
    "momentum": (0.0, 0.9),
    "nesterov": (False, True),
    "maximize": (False, True),
    "is_first_step": (False, True),
    "grad_scale": (None, 4.0),
}
ADAGRAD = {"weight_decay": (0.0, 0.1), "maximize": (False, True), "grad_scale": (None, 4.0)}
# State, options that are varied, and others.
OPTIMIZERS: dict[str, tuple[int, bool, dict[str, Any], dict[str, Any]]] = {
    "_fused_adam_": (3, True, ADAM, {"beta2": 0.99, "eps": 1e-8}),
    "_fused_adamw_": (3, True, ADAM, {"beta2": 0.99, "eps": 1e-8}),
    "_fused_sgd_": (1, False, SGD, {"dampening": 0.25}),
    "_fused_adagrad_": (1, True, ADAGRAD, {"lr_decay": 0.1, "eps": 1e-8}),
}


def settings(varied: dict[str, Any], fixed: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for values in itertools.product(*varied.values()):
        chosen = {**fixed, **dict(zip(varied, values, strict=True))}
        scale = chosen.pop("grad_scale")
        yield {**chosen, "grad_scale": None if scale is None else torch.tensor([scale])}


def widened(lists: list[Any], dtype: Any) -> list[Any]:
    """Returns copies, halves as float32: on some processors PyTorch's SGD of halves is off by as much as the
    step is long.
    """
    half = dtype in (torch.float16, torch.bfloat16)
    return [[t.float() if half and t.dtype is dtype else t.clone() for t in tensors] for tensors in lists]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_fused_steps(name: str, dtype: Any) -> None:
    state, counts, varied, fixed = OPTIMIZERS[name]
    for options in settings(varied, fixed):
        lists = [filled(dtype, 0), filled(dtype, 1), *(filled(dtype, 2 + k, 0) for k in range(state))]
        if options.get("amsgrad") is False or options.get("momentum") == 0:
            lists[-1] = []  # as PyTorch expects it
        args = [*lists, *([steps_of(3)] if counts else [])]
        for rate in (0.01, torch.tensor(0.01)):
            overload = "default" if isinstance(rate, float) else "tensor_lr"
            mine = to_aten(copied((args, {**options, "lr": rate})))
            theirs = widened(args, dtype)
            getattr(getattr(torch.ops.aten, name), overload)(*theirs, **options, lr=rate)
            theirs = [[t.to(dtype) for t in tensors] for tensors in theirs[: len(lists)]] + theirs[
                len(lists) :
            ]
            getattr(getattr(aten.ops.aten, name), overload)(*mine[0], **mine[1])
            assert_same(mine[0], theirs, f"{name}.{overload} {options}", tolerance=TOLERANCES)


@pytest.mark.parametrize("found", (0.0, 1.0))
def test_steps_are_left_out_after_overflow(found: float) -> None:
    params, grads, buffers = (filled(torch.float32, seed) for seed in range(3))
    before = to_aten(copied(params))
    after = to_aten(copied(params))
    options = {"weight_decay": 0, "momentum": 0.9, "lr": 0.1, "dampening": 0, "nesterov": False}
    aten.ops.aten._fused_sgd_.default(
        after,
        to_aten(grads),
        to_aten(buffers),
        **options,
        maximize=False,
        is_first_step=False,
        found_inf=aten.tensor(found),
    )
    same = [aten.equal(a, b) for a, b in zip(after, before, strict=True) if a.numel() > 0]
    assert all(same) if found else not any(same)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("value", (None, float("inf"), float("nan")))
def test_unscaling(value: float | None, dtype: Any) -> None:
    grads = filled(dtype, 0)
    if value is not None:
        grads[0][3, 2] = value
    found, scale = torch.zeros(1), torch.tensor([0.25])
    mine = to_aten(copied((grads, found, scale)))
    aten.ops.aten._amp_foreach_non_finite_check_and_unscale_.default(*mine)
    torch.ops.aten._amp_foreach_non_finite_check_and_unscale_.default(grads, found, scale)
    assert_same(mine, (grads, found, scale), "unscaled")


@pytest.mark.parametrize("found", (0.0, 1.0))
@pytest.mark.parametrize(("scale", "tracker"), ((2.0, 0), (2.0, 3), (3e38, 3)))
def test_scale_grows(found: float, scale: float, tracker: int) -> None:
    args = (torch.tensor([scale]), torch.tensor([tracker], dtype=torch.int32), torch.tensor([found]))
    mine = to_aten(copied(args))
    aten.ops.aten._amp_update_scale_.default(*mine, 2.0, 0.5, 4)
    torch.ops.aten._amp_update_scale_.default(*args, 2.0, 0.5, 4)
    assert_same(mine, args, "scale")
