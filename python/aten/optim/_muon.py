"""Muon."""

from __future__ import annotations

import math

from .._C import Tensor
from ._checks import check_lr_size
from ._lists import ListOptimizer, _functions

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ._lists import Group, State, Tensors
    from .optimizer import ParamsT

__all__ = ["Muon"]


class Muon(ListOptimizer):
    """Muon (Jordan, 2024), for matrices: momentum, whose result is made orthogonal by `ns_steps`
    Newton-Schulz iterations with the polynomial `ns_coefficients`. `adjust_lr_fn` scales the rate with the
    shape: "original" (the default) or "match_rms_adamw"."""

    scalars = {}
    buffers = {"momentum_buffer": None}

    def __init__(
        self,
        params: ParamsT,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        check_lr_size(lr)
        for name, value in (
            ("Learning rate", lr),
            ("momentum", momentum),
            ("weight decay", weight_decay),
        ):
            if not value >= 0:
                raise ValueError(f"{name} should be >= 0 but is: {value}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        defaults = {
            "lr": lr,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "nesterov": nesterov,
            "ns_coefficients": ns_coefficients,
            "eps": eps,
            "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for p in group["params"]:
                if p.ndim != 2:
                    raise ValueError(
                        f"Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}"
                    )

    def _kind(self, p: Tensor, state: State) -> None:
        if p.is_complex():
            raise RuntimeError("Muon does not support complex parameters")

    def _gradients(self, params: Tensors, gradients: Tensors, options: Group) -> Tensors:
        return super()._gradients(params, gradients, {**options, "decoupled_weight_decay": True})

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        momentum_buffers: Tensors,
        *,
        lr: float,
        momentum: float,
        nesterov: bool,
        ns_coefficients: tuple[float, float, float],
        ns_steps: int,
        eps: float,
        adjust_lr_fn: str | None,
        **options: Any,
    ) -> None:
        _functions._foreach_lerp_(momentum_buffers, gradients, 1 - momentum)
        updates = momentum_buffers
        if nesterov:
            updates = _functions._foreach_lerp(gradients, momentum_buffers, momentum)
        for p, update in zip(params, updates, strict=True):
            p.add_(
                orthogonal(update, ns_coefficients, ns_steps, eps),
                alpha=-lr * rate_factor(adjust_lr_fn, *p.shape),
            )


def orthogonal(matrix: Tensor, coefficients: tuple[float, float, float], steps: int, eps: float) -> Tensor:
    """The orthogonal matrix nearest to `matrix`, roughly: iterates x = a x + (b g + c g g) x with g = x x^T,
    in bfloat16."""
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    tall = matrix.size(0) > matrix.size(1)
    x = matrix.bfloat16()
    x = x.T if tall else x
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.T
        x = _functions.addmm(x, _functions.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


def rate_factor(kind: str | None, rows: int, columns: int) -> float:
    if kind == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1.0, rows / columns))
