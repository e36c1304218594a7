"""RMSprop."""

from __future__ import annotations

from ._checks import check_not_negative
from ._lists import ListOptimizer, _functions, denominators

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor
    from ._lists import Tensors
    from .optimizer import ParamsT

__all__ = ["RMSprop"]


class RMSprop(ListOptimizer):
    """RMSprop (Hinton, 2012): the gradient is divided by sqrt(v) + eps, where v is the moving average of its
    square with the factor `alpha`; if `centered`, of its variance."""

    buffers = {"square_avg": None, "momentum_buffer": "momentum", "grad_avg": "centered"}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        square_avgs: Tensors,
        momentum_buffers: Tensors | None,
        grad_avgs: Tensors | None,
        *,
        lr: float,
        alpha: float,
        eps: float,
        momentum: float,
        **options: Any,
    ) -> None:
        _functions._foreach_mul_(square_avgs, alpha)
        _functions._foreach_addcmul_(square_avgs, gradients, gradients, 1 - alpha)
        if grad_avgs is not None:
            _functions._foreach_lerp_(grad_avgs, gradients, 1 - alpha)
            square_avgs = _functions._foreach_addcmul(square_avgs, grad_avgs, grad_avgs, -1)
        divisors = denominators(square_avgs, eps)
        if momentum_buffers is None:
            _functions._foreach_addcdiv_(params, gradients, divisors, -lr)
        else:
            _functions._foreach_mul_(momentum_buffers, momentum)
            _functions._foreach_addcdiv_(momentum_buffers, gradients, divisors)
            _functions._foreach_add_(params, momentum_buffers, alpha=-lr)
