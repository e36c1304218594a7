"""Adadelta."""

from __future__ import annotations

from ._checks import check_not_negative
from ._lists import ListOptimizer, _functions, unshared

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor
    from ._lists import Tensors
    from .optimizer import ParamsT

__all__ = ["Adadelta"]


class Adadelta(ListOptimizer):
    """Adadelta (Zeiler, 2012): the gradient times sqrt(u + eps) / sqrt(v + eps), where v and u are the moving
    averages, with the factor `rho`, of the squares of the gradient and of the updates."""

    buffers = {"square_avg": None, "acc_delta": None}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr)
        if not 0 <= rho <= 1:
            raise ValueError(f"Invalid rho value: {rho}")
        check_not_negative(eps=eps, weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        square_avgs: Tensors,
        acc_deltas: Tensors,
        *,
        lr: float,
        rho: float,
        eps: float,
        **options: Any,
    ) -> None:
        _functions._foreach_mul_(square_avgs, rho)
        _functions._foreach_addcmul_(square_avgs, gradients, gradients, 1 - rho)
        divisors = _functions._foreach_sqrt(_functions._foreach_add(square_avgs, eps))
        deltas = _functions._foreach_sqrt(_functions._foreach_add(unshared(acc_deltas), eps))
        deltas = _functions._foreach_div(deltas, divisors)
        deltas = _functions._foreach_mul(deltas, gradients)
        _functions._foreach_mul_(acc_deltas, rho)
        _functions._foreach_addcmul_(acc_deltas, deltas, deltas, 1 - rho)
        _functions._foreach_add_(params, deltas, alpha=-lr)
