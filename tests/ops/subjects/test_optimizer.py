"""Fused steps of optimizers, in all forms, equal their definitions; so does the scaling of gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import aten
import numpy as np
import pytest

ops = aten.ops
Arrays = list[np.ndarray]

SHAPES = ((3, 5), (7,), (), (0,))
ADAM = {"beta1": 0.9, "beta2": 0.99, "weight_decay": 0.1, "eps": 1e-8, "amsgrad": True, "maximize": False}
SGD = {
    "weight_decay": 0.1,
    "momentum": 0.9,
    "dampening": 0.25,
    "nesterov": True,
    "maximize": True,
    "is_first_step": False,
}
ADAGRAD = {"lr_decay": 0.1, "weight_decay": 0.1, "eps": 1e-8, "maximize": False}
RATE, STEPS, SCALE = 0.01, 3.0, 4.0


def adam(p: Any, g: Any, mean: Any, square: Any, most: Any) -> tuple[Any, ...]:
    g = g + 0.1 * p
    mean, square = 0.9 * mean + 0.1 * g, 0.99 * square + 0.01 * g * g
    most = np.maximum(most, square)
    size = np.sqrt(most) / np.sqrt(1 - 0.99**STEPS) + 1e-8
    return p - RATE / (1 - 0.9**STEPS) * mean / size, mean, square, most


def adamw(p: Any, g: Any, mean: Any, square: Any, most: Any) -> tuple[Any, ...]:
    stepped = adam(0 * p, g, mean, square, most)
    return (p * (1 - RATE * 0.1) + stepped[0], *stepped[1:])


def sgd(p: Any, g: Any, momentum: Any) -> tuple[Any, ...]:
    g = -g + 0.1 * p
    momentum = 0.9 * momentum + 0.75 * g
    return p - RATE * (g + 0.9 * momentum), momentum


def adagrad(p: Any, g: Any, total: Any) -> tuple[Any, ...]:
    g = g + 0.1 * p
    total = total + g * g
    return p - RATE / (1 + 2 * 0.1) * g / (np.sqrt(total) + 1e-8), total


# The definition, the lists of state, whether steps are counted, the settings, and the forms: in place,
# functional, out=; with a number, and with a tensor as lr.
Form = Callable[..., Any]
OPTIMIZERS: dict[str, tuple[Form, int, bool, dict[str, Any], tuple[Form, ...]]] = {
    "adam": (
        adam, 3, True, ADAM,
        (
            lambda *a, **k: ops.aten._fused_adam_.default(*a, **k),
            lambda *a, **k: ops.aten._fused_adam.default(*a, **k),
            lambda *a, **k: ops.aten._fused_adam.out(*a, **k),
            lambda *a, **k: ops.aten._fused_adam_.tensor_lr(*a, **k),
            lambda *a, **k: ops.aten._fused_adam.tensor_lr(*a, **k),
            lambda *a, **k: ops.aten._fused_adam.tensor_lr_out(*a, **k),
        ),
    ),
    "adamw": (
        adamw, 3, True, ADAM,
        (
            lambda *a, **k: ops.aten._fused_adamw_.default(*a, **k),
            lambda *a, **k: ops.aten._fused_adamw.default(*a, **k),
            lambda *a, **k: ops.aten._fused_adamw.out(*a, **k),
            lambda *a, **k: ops.aten._fused_adamw_.tensor_lr(*a, **k),
            lambda *a, **k: ops.aten._fused_adamw.tensor_lr(*a, **k),
            lambda *a, **k: ops.aten._fused_adamw.tensor_lr_out(*a, **k),
        ),
    ),
    "sgd": (
        sgd, 1, False, SGD,
        (
            lambda *a, **k: ops.aten._fused_sgd_.default(*a, **k),
            lambda *a, **k: ops.aten._fused_sgd.default(*a, **k),
            lambda *a, **k: ops.aten._fused_sgd.out(*a, **k),
            lambda *a, **k: ops.aten._fused_sgd_.tensor_lr(*a, **k),
            lambda *a, **k: ops.aten._fused_sgd.tensor_lr(*a, **k),
            lambda *a, **k: ops.aten._fused_sgd.tensor_lr_out(*a, **k),
        ),
    ),
    "adagrad": (
        adagrad, 1, True, ADAGRAD,
        (
            lambda *a, **k: ops.aten._fused_adagrad_.default(*a, **k),
            lambda *a, **k: ops.aten._fused_adagrad.default(*a, **k),
            lambda *a, **k: ops.aten._fused_adagrad.out(*a, **k),
            lambda *a, **k: ops.aten._fused_adagrad_.tensor_lr(*a, **k),
            lambda *a, **k: ops.aten._fused_adagrad.tensor_lr(*a, **k),
            lambda *a, **k: ops.aten._fused_adagrad.tensor_lr_out(*a, **k),
        ),
    ),
}  # fmt: skip


def arrays(seed: int, low: float = 0) -> Arrays:
    stream = np.random.default_rng(seed)
    return [np.asarray(stream.uniform(low, 1, shape)) for shape in SHAPES]


def tensors(values: Arrays) -> list[aten.Tensor]:
    return [aten.from_numpy(v.copy()) for v in values]


def assert_close(got: list[aten.Tensor], expected: Arrays) -> None:
    for g, e in zip(got, expected, strict=True):
        np.testing.assert_allclose(g.numpy(), e, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("form", range(6))
def test_steps(name: str, form: int) -> None:
    define, state, counts, settings, forms = OPTIMIZERS[name]
    lists = [arrays(0, -1), arrays(1, -1), *(arrays(2 + k) for k in range(state))]
    unscaled = [g / SCALE for g in lists[1]]
    items = [define(*item) for item in zip(lists[0], unscaled, *lists[2:], strict=True)]
    first, *rest = (list(column) for column in zip(*items, strict=True))
    expected = [first, unscaled, *rest]
    mine = [tensors(values) for values in lists]
    steps = [[aten.tensor(STEPS) for _ in SHAPES]] if counts else []
    rate = RATE if form < 3 else aten.tensor(RATE, dtype=aten.float64)
    given = {**settings, "lr": rate, "grad_scale": aten.tensor(SCALE), "found_inf": aten.tensor(0.0)}
    if form % 3 == 0:
        assert forms[form](*mine, *steps, **given) is None
        results = mine
    elif form % 3 == 1:
        results = forms[form](*mine, *steps, **given)
    else:
        outs = [aten.empty(0, dtype=aten.float64) for _ in SHAPES]
        forms[form](*mine, *steps, **given, out=outs)
        results = [outs]
    for got, values in zip(results, expected, strict=False):
        assert_close(got, values)


def test_lists_must_fit() -> None:
    params = [aten.ones(3), aten.ones(2)]
    settings = {**SGD, "lr": 0.1}
    for grads, message in (
        ([aten.ones(3)], "same length"),
        ([aten.ones(3), aten.ones(3)], "same sizes"),
        ([aten.ones(3), aten.ones(2, dtype=aten.float64)], "dtype"),
        ([aten.ones(3), aten.ones(2, device="meta")], "cpu"),
    ):
        with pytest.raises(RuntimeError, match=message):
            ops.aten._fused_sgd_.default(params, grads, [aten.ones(3), aten.ones(2)], **settings)


def test_gradients_are_unscaled() -> None:
    for value, found in ((3.0, 0.0), (float("inf"), 1.0), (float("nan"), 1.0)):
        grads = [aten.full((40,), 2.0), aten.tensor([value]), aten.ones(3, dtype=aten.float64)]
        flag, scale = aten.zeros(1), aten.tensor([0.5])
        made = ops.aten._amp_foreach_non_finite_check_and_unscale.default(grads, flag, scale)
        outs = [aten.empty(0), aten.empty(0), aten.empty(0, dtype=aten.float64)]
        ops.aten._amp_foreach_non_finite_check_and_unscale.out(grads, flag.clone(), scale, out=outs)
        assert flag.item() == 0
        ops.aten._amp_foreach_non_finite_check_and_unscale_.default(grads, flag, scale)
        assert flag.item() == found
        assert all(r[0][0].tolist() == [1.0] * 40 for r in ((grads,), (made[0],), (outs,)))
        assert grads[2].tolist() == [0.5] * 3


@pytest.mark.parametrize(
    ("scale", "tracker", "found", "expected"),
    (
        (2.0, 0, 0.0, (2.0, 1)),
        (2.0, 3, 0.0, (4.0, 0)),
        (2.0, 3, 1.0, (1.0, 0)),
        (3e38, 3, 0.0, (float(np.float32(3e38)), 0)),
    ),
)
def test_the_scale_grows(scale: float, tracker: int, found: float, expected: tuple[float, int]) -> None:
    def arguments() -> tuple[aten.Tensor, ...]:
        return aten.tensor([scale]), aten.tensor([tracker], dtype=aten.int32), aten.tensor([found])

    given = arguments()
    assert ops.aten._amp_update_scale_.default(*given, 2.0, 0.5, 4) is given[0]
    assert (given[0].item(), given[1].item()) == expected
    made = ops.aten._amp_update_scale.default(*arguments(), 2.0, 0.5, 4)
    assert tuple(t.item() for t in made) == expected
    out = aten.empty(0)
    ops.aten._amp_update_scale.out(*arguments(), 2.0, 0.5, 4, out=out)
    assert out.tolist() == [expected[0]]
