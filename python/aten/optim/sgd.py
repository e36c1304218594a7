"""Stochastic gradient descent."""

from __future__ import annotations

from ._checks import check_implementation, check_not_negative
from ._lists import ListOptimizer, _functions, detached

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor
    from ._lists import State, Tensors
    from .optimizer import ParamsT

__all__ = ["SGD"]


class SGD(ListOptimizer):
    """Stochastic gradient descent: p -= lr * b with b = momentum * b + (1 - dampening) * gradient, which
    starts as the first gradient. With `nesterov`, p -= lr * (gradient + momentum * b)."""

    scalars = {}
    buffers = {"momentum_buffer": "momentum"}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_not_negative(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        check_implementation(fused, foreach, differentiable)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def _kind(self, p: Tensor, state: State) -> bool:
        """True in the first step with momentum."""
        return "momentum_buffer" not in state

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        momentum_buffers: Tensors | None,
        *,
        lr: float,
        momentum: float,
        dampening: float,
        nesterov: bool,
        kind: bool,
        **options: Any,
    ) -> None:
        if momentum_buffers is not None:
            if kind:
                _functions._foreach_copy_(momentum_buffers, detached(gradients))
            else:
                _functions._foreach_mul_(momentum_buffers, momentum)
                _functions._foreach_add_(momentum_buffers, gradients, alpha=1 - dampening)
            if nesterov:
                gradients = _functions._foreach_add(gradients, momentum_buffers, alpha=momentum)
            else:
                gradients = momentum_buffers
        _functions._foreach_add_(params, gradients, alpha=-lr)

    @staticmethod
    def _fused(
        params: Tensors,
        gradients: Tensors,
        momentum_buffers: Tensors | None,
        *,
        kind: bool,
        lr: float,
        momentum: float,
        dampening: float,
        weight_decay: float,
        nesterov: bool,
        maximize: bool,
        grad_scale: Tensor | None = None,
        found_inf: Tensor | None = None,
        **options: Any,
    ) -> None:
        _functions._fused_sgd_(
            params,
            gradients,
            momentum_buffers or [],
            lr=lr,
            momentum=momentum,
            dampening=dampening,
            weight_decay=weight_decay,
            nesterov=nesterov,
            maximize=maximize,
            is_first_step=kind,
            grad_scale=grad_scale,
            found_inf=found_inf,
        )
