"""Adafactor."""

from __future__ import annotations

from .._C import Tensor
from .._dtype_info import finfo
from ._checks import check_lr_size
from ._lists import ListOptimizer, _functions, values

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ._lists import Group, State, Tensors
    from .optimizer import ParamsT

__all__ = ["Adafactor"]


class Adafactor(ListOptimizer):
    """Adafactor (Shazeer and Stern, 2018): the gradient is divided by the root of the moving average of its
    square, which for matrices is kept as averages of rows and of columns. `beta2_decay` is the exponent of
    the average's decay, `d` clips the update's root mean square, and `eps` has the smallest value of squares
    (None: the dtype's eps) and of the parameter's root mean square."""

    buffers = {"row_var": "matrix", "col_var": "matrix", "variance": "vector"}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        check_lr_size(lr)
        if not lr >= 0:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not beta2_decay <= 0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        for i, value in enumerate(eps, 1):
            if not (value is None and i == 1) and not value >= 0:  # type: ignore[operator]
                raise ValueError(f"epsilon{i} should be >= 0 but is: {value}")
        if not d >= 1:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not weight_decay >= 0:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        defaults = {
            "lr": lr,
            "beta2_decay": beta2_decay,
            "eps": eps,
            "d": d,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _kind(self, p: Tensor, state: State) -> str:
        if p.is_complex():
            raise RuntimeError("Adafactor does not support complex parameters")
        return "matrix" if p.dim() > 1 else "vector"

    def _first_buffer(self, name: str, p: Tensor, group: Group) -> Tensor:
        shape = list(p.shape)
        if name != "variance":
            shape[-1 if name == "row_var" else -2] = 1
        return _functions.zeros(shape, dtype=p.dtype, device=p.device)

    def _gradients(self, params: Tensors, gradients: Tensors, options: Group) -> Tensors:
        return super()._gradients(params, gradients, {**options, "weight_decay": 0})

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        row_vars: Tensors | None,
        col_vars: Tensors | None,
        variances: Tensors | None,
        *,
        lr: float,
        beta2_decay: float,
        eps: tuple[float | None, float],
        d: float,
        weight_decay: float,
        **options: Any,
    ) -> None:
        smallest = finfo(params[0].dtype).eps if eps[0] is None else eps[0]
        counts = values(steps)
        weights = [n**beta2_decay for n in counts]
        rates = [
            max(eps[1], rms) * min(lr, 1 / n**0.5)
            for n, rms in zip(counts, root_mean_squares(params), strict=True)
        ]
        if weight_decay != 0:
            _functions._foreach_mul_(params, 1 - lr * weight_decay)
        if row_vars is not None and col_vars is not None:
            estimates = update_factors(row_vars, col_vars, gradients, weights, smallest)
        else:
            _functions._foreach_lerp_(variances, _functions._foreach_mul(gradients, gradients), weights)
            estimates = _functions._foreach_clone(variances)
        _functions._foreach_clamp_min_(estimates, smallest**2)
        _functions._foreach_rsqrt_(estimates)
        _functions._foreach_mul_(estimates, gradients)
        scales = [
            -rate / max(1.0, rms / d) for rate, rms in zip(rates, root_mean_squares(estimates), strict=True)
        ]
        _functions._foreach_mul_(estimates, scales)
        _functions._foreach_add_(params, estimates)


def root_mean_squares(tensors: Tensors) -> list[float]:
    norms = values(_functions._foreach_norm(tensors))
    return [norm / t.numel() ** 0.5 for norm, t in zip(norms, tensors, strict=True)]


def update_factors(
    row_vars: Tensors, col_vars: Tensors, gradients: Tensors, weights: list[float], smallest: float
) -> Tensors:
    """Updates the averages of the squares' rows and columns; returns the estimates of the squares'
    averages."""
    squares = _functions._foreach_mul(gradients, gradients)
    _functions._foreach_lerp_(row_vars, [t.mean(-1, keepdim=True) for t in squares], weights)
    _functions._foreach_lerp_(col_vars, [t.mean(-2, keepdim=True) for t in squares], weights)
    means = [t.mean(-2, keepdim=True) for t in row_vars]
    _functions._foreach_clamp_min_(means, smallest)
    return [row / mean * col for row, mean, col in zip(row_vars, means, col_vars, strict=True)]
