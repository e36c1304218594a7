"""Adamax."""

from __future__ import annotations

from ._checks import check_betas, check_not_negative
from ._lists import ListOptimizer, _functions, values

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor
    from ._lists import Tensors
    from .optimizer import ParamsT

__all__ = ["Adamax"]


class Adamax(ListOptimizer):
    """Adamax (Kingma and Ba, 2014): Adam with a decaying maximum of the gradient's absolute value, instead of
    the root of its mean square."""

    buffers = {"exp_avg": None, "exp_inf": None}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        exp_avgs: Tensors,
        exp_infs: Tensors,
        *,
        lr: float,
        betas: tuple[float, float],
        eps: float,
        **options: Any,
    ) -> None:
        _functions._foreach_lerp_(exp_avgs, gradients, 1 - betas[0])
        _functions._foreach_mul_(exp_infs, betas[1])
        norms = _functions._foreach_abs(gradients)
        _functions._foreach_add_(norms, eps)
        _functions._foreach_maximum_(exp_infs, norms)
        rates = [-lr / (1 - betas[0] ** n) for n in values(steps)]
        _functions._foreach_addcdiv_(params, exp_avgs, exp_infs, rates)
