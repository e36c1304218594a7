"""Cases of test_kernels.py for kernels over lists of tensors: steps of optimizers, and segments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import aten
import numpy as np
from kernel_inputs import Inputs

ops = aten.ops.aten
Case = Callable[[Inputs], Any]

# More items than one launch has, some of several chunks with a rest, some without elements.
SIZES = (9001, 0, 4096, 3, *(1 + k % 5 for k in range(130)), 8200)
ADAM = {"beta1": 0.9, "beta2": 0.99, "eps": 1e-8}
SGD = {"dampening": 0.25}
ADAGRAD = {"lr_decay": 0.1, "eps": 1e-8}


def tensors(i: Inputs, dtype: str, least: float = -1, sizes: tuple[int, ...] = SIZES) -> list[aten.Tensor]:
    """One of them begins behind where vectors do, and one is a matrix with another order in memory."""
    made = [i.of(i.rng.uniform(least, 1, n).astype(np.float32)).to(getattr(aten, dtype)) for n in sizes]
    return [made[0][1:], *made[1:-1], made[-1].view([len(made[-1]) // 8, 8]).t()]


def steps() -> Iterator[tuple[str, Case]]:
    scaled = {"grad_scale": np.float32([4]), "found_inf": np.float32([0]), "lr": np.float64([0.02])}
    skipped = {"grad_scale": np.float32([4]), "found_inf": np.float32([1])}
    for name, state, counts, varied in (
        ("_fused_adam_", 3, True, {**ADAM, "amsgrad": True, "weight_decay": 0.1, "maximize": True}),
        ("_fused_adam_", 2, True, {**ADAM, "amsgrad": False, "weight_decay": 0.0, "maximize": False}),
        ("_fused_adamw_", 3, True, {**ADAM, "amsgrad": True, "weight_decay": 0.1, "maximize": False}),
        ("_fused_adamw_", 2, True, {**ADAM, "amsgrad": False, "weight_decay": 0.1, "maximize": False}),
        *(
            ("_fused_sgd_", int(m > 0), False, {**SGD, "momentum": m, "is_first_step": first, **each})
            for m, first in ((0.0, False), (0.9, True), (0.9, False))
            for each in (
                {"nesterov": m > 0, "weight_decay": 0.1, "maximize": False},
                {"nesterov": False, "weight_decay": 0.0, "maximize": True},
            )
        ),
        ("_fused_adagrad_", 1, True, {**ADAGRAD, "weight_decay": 0.1, "maximize": True}),
        ("_fused_adagrad_", 1, True, {**ADAGRAD, "weight_decay": 0.0, "maximize": False}),
    ):
        for dtype, extra in (("float32", {}), ("float64", scaled), ("float16", scaled), ("float32", skipped)):

            def case(
                i: Inputs, args: Any = (name, state, counts, dtype), fixed: Any = varied, more: Any = extra
            ) -> Any:
                return updated(i, *args, {**fixed, **{key: i.of(value) for key, value in more.items()}})

            options = ", ".join(key for key, value in varied.items() if value is True)
            what = f"{name} {state} {varied['weight_decay']} {options} {dtype} {', '.join(extra)}"
            yield f"optimizer/fused.cu {what}", case
    for dtype in ("float32", "float16", "float64"):
        for bad in (None, np.inf, np.nan):
            yield (
                f"optimizer/amp.cu {dtype} {bad}",
                lambda i, t=dtype, b=bad: unscaled(i, t, b),
            )
    for scale, tracker, found in ((2, 0, 0), (2, 3, 0), (2, 3, 1), (3e38, 3, 0)):
        yield (
            f"optimizer/amp.cu scale {scale} {tracker} {found}",
            lambda i, s=scale, t=tracker, f=found: rescaled(i, s, t, f),
        )


def updated(i: Inputs, name: str, state: int, counts: bool, dtype: str, options: dict[str, Any]) -> Any:
    """As PyTorch has it, lists that aren't used are empty."""
    lists = [tensors(i, dtype), tensors(i, dtype), *(tensors(i, dtype, 0) for _ in range(state))]
    if options.get("amsgrad") is False or options.get("momentum") == 0:
        lists.append([])
    if counts:
        lists.append([i.of(np.float32([1 + k % 7])) for k in range(len(SIZES))])
    getattr(ops, name)(*lists, **{"lr": 0.01, **options})
    return [t for each in lists for t in each]


def unscaled(i: Inputs, dtype: str, bad: float | None) -> list[aten.Tensor]:
    """Gradients of two dtypes, one of which may not be finite."""
    grads = [*tensors(i, dtype), *tensors(i, "bfloat16", sizes=(5, 40))]
    if bad is not None:
        grads[0][7000] = bad
    found, scale = i.of(np.float32([0])), i.of(np.float32([0.25]))
    ops._amp_foreach_non_finite_check_and_unscale_(grads, found, scale)
    return [g.float() for g in grads] + [found, scale]


def rescaled(i: Inputs, scale: float, tracker: int, found: float) -> list[aten.Tensor]:
    given = [i.of(np.float32([scale])), i.of(np.int32([tracker])), i.of(np.float32([found]))]
    ops._amp_update_scale_(*given, 2.0, 0.5, 4)
    return given


def segments() -> Iterator[tuple[str, Case]]:
    for reduce in ("sum", "mean", "max", "min", "prod"):
        for inner in (1, 3, 20):
            for start in (None, 1.5):
                yield (
                    f"reduction/segment_reduce.cu {reduce} {inner} {start}",
                    lambda i, r=reduce, n=inner, s=start: of_segments(i, r, n, s),
                )


def of_segments(i: Inputs, reduce: str, inner: int, start: float | None) -> list[aten.Tensor]:
    """Segments without elements, shorter and longer than a warp, with equal extremes, zeros and a NaN."""
    lengths = np.array([[3, 0, 32, 70, 1, 45], [0, 100, 0, 33, 17, 1]])
    values = i.rng.integers(2, 5, (2, 151, inner)).astype(np.float32) / 3
    values[0, 36], values[1, 105] = 0, np.nan
    given = {"lengths": i.of(lengths), "axis": 1, "initial": start}
    x = i.of(values)
    result = ops.segment_reduce(x, reduce, **given)
    grad = i.normal(*result.shape)
    return [result, ops._segment_reduce_backward(grad, result, x, reduce, **given)]
