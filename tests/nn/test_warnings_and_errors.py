"""Calls that PyTorch warns of or refuses are warned of or refused here."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import aten
import pytest
from aten.nn.modules import _hooks

BROADCASTING_LOSSES = ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"]


def _converted_with_a_copy(T: Any) -> object:
    return T.nn.Linear(2, 2).to("cpu", copy=True)


def _pooled_with_three_ratios(T: Any) -> object:
    return T.nn.functional.fractional_max_pool2d(T.rand(1, 2, 8, 8), 2, output_ratio=[0.5, 0.5, 0.6])


def _attended_with_a_mask_of(rows: int, keys: int) -> Callable[[Any], object]:
    def attended(T: Any) -> object:
        x = T.rand(5, 3, 8)
        mask = T.zeros((rows, keys), dtype=T.bool)
        return T.nn.MultiheadAttention(8, 2)(x, x, x, key_padding_mask=mask)

    return attended


def _converted_by(*args: str) -> Callable[[Any], object]:
    return lambda T: T.nn.Linear(2, 2).to(*(eval(arg, {"T": T}) for arg in args))


REFUSED = {
    **{
        f"to({', '.join(args)})": _converted_by(*args)
        for args in (
            ("T.device('cpu')", "True"),
            ("T.long",),
            ("None", "True"),
            ("'cpu'", "T.long", "True"),
            ("[]",),
            ("T.tensor(3)",),
            ("T.device('cpu')", "T.tensor(3)"),
            ("T.float64", "T.float64"),
        )
    },
    "to with a copy": _converted_with_a_copy,
    "three ratios of two": _pooled_with_three_ratios,
    "a padding mask of another batch": _attended_with_a_mask_of(7, 5),
    "a padding mask of other keys": _attended_with_a_mask_of(3, 6),
}


@pytest.mark.parametrize("name", BROADCASTING_LOSSES)
def test_a_target_that_is_broadcast_is_warned_of(name: str) -> None:
    loss = getattr(aten.nn.functional, name)
    with pytest.warns(UserWarning, match="Please ensure they have the same size"):
        loss(aten.rand(10, 1), aten.rand(10))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loss(aten.rand(10, 1), aten.rand(10, 1))


@pytest.mark.parametrize("name", REFUSED)
def test_what_pytorch_refuses_is_the_same_error(name: str) -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises((RuntimeError, TypeError, ValueError, AssertionError)) as theirs:
        REFUSED[name](torch)
    with pytest.raises(theirs.type):
        REFUSED[name](aten)


def _seen_by_backward_hooks(T: Any, everywhere: bool) -> list[object]:
    """What hooks of the older kind get and do, in modules of one operator and of two."""
    seen: list[object] = []

    def hook(module: object, grad_input: Any, grad_output: Any) -> Any:
        seen.append((type(module).__name__, len(grad_input), [g.tolist() for g in grad_output]))
        return (grad_input[0] * 3, *grad_input[1:])

    for module in (T.nn.Tanh(), T.nn.Sequential(T.nn.Tanh(), T.nn.Hardtanh())):
        register = (
            T.nn.modules.module.register_module_backward_hook if everywhere else module.register_backward_hook
        )
        for _ in range(2):
            x = T.ones(2, requires_grad=True)
            with warnings.catch_warnings(record=True) as noted:
                warnings.simplefilter("always")
                handle = register(hook)
                module(x * 1).sum().backward()
            handle.remove()
            seen.append((x.grad.tolist(), [warning.category for warning in noted]))
    return seen


@pytest.mark.parametrize("everywhere", [False, True])
def test_backward_hooks_of_the_older_kind(everywhere: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    # Once set, the kind of the hooks of all modules stays: another test may have.
    monkeypatch.setattr(_hooks.everywhere, "_is_full_backward_hook", None)
    monkeypatch.setattr(torch.nn.modules.module, "_global_is_full_backward_hook", None)
    both = [_seen_by_backward_hooks(T, everywhere) for T in (aten, torch)]
    for ours, theirs in zip(*both, strict=True):
        if isinstance(ours[0], str):
            assert ours == theirs
        else:
            assert ours[0] == pytest.approx(theirs[0], rel=1e-5)
            assert set(ours[1]) == set(theirs[1])


def test_backward_hooks_of_both_kinds_are_refused() -> None:
    module = aten.nn.Tanh()
    module.register_backward_hook(print)
    with pytest.raises(RuntimeError, match="Cannot use both regular backward hooks and full backward hooks"):
        module.register_full_backward_hook(print)
