"""Checks of optimizers' arguments."""

from __future__ import annotations

from .._C import Tensor

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_LABELS = {"lr": "learning rate", "eps": "epsilon value"}


def check_lr_size(lr: Any) -> None:
    """ValueError for a Tensor of other than one element."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def check_not_negative(**values: Any) -> None:
    """ValueError for a value below 0, or for a learning rate of several elements."""
    check_lr_size(values.get("lr"))
    for name, value in values.items():
        if not value >= 0:
            raise ValueError(f"Invalid {_LABELS.get(name, f'{name} value')}: {value}")


def check_betas(betas: Any) -> None:
    """ValueError for decay rates outside of [0, 1)."""
    for i in range(2):
        if not 0 <= betas[i] < 1:
            raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")


def check_implementation(fused: bool | None, foreach: bool | None, differentiable: bool) -> None:
    """RuntimeError for options that exclude each other."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def number(name: str, value: Any) -> Any:
    """The value of an option, which may be a Tensor of one element."""
    if not isinstance(value, Tensor):
        return value
    if value.requires_grad:
        raise RuntimeError(f"{name}: an option that requires grad is not supported; pass a number")
    return value.item()
