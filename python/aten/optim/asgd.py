"""Averaged stochastic gradient descent."""

from __future__ import annotations

from ._checks import check_not_negative
from ._lists import ListOptimizer, _functions, values

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor
    from ._lists import Group, Tensors
    from .optimizer import ParamsT

__all__ = ["ASGD"]


class ASGD(ListOptimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992), with the decay `lambd` of parameters
    and the rate lr / (1 + lambd * lr * n) ** alpha after n steps. From step `t0`, the state "ax" has the
    average of the parameters."""

    scalars = {"step": 0.0, "eta": None, "mu": 1.0}
    buffers = {"ax": None}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_not_negative(lr=lr, weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _scalar(self, value: float, p: Tensor, group: Group) -> Tensor:
        return super()._scalar(value, p, group).to(p.device)

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        etas: Tensors,
        mus: Tensors,
        axs: Tensors,
        *,
        lr: float,
        lambd: float,
        alpha: float,
        t0: float,
        **options: Any,
    ) -> None:
        rates = values(etas)
        _functions._foreach_mul_(params, [1 - lambd * eta for eta in rates])
        _functions._foreach_add_(params, _functions._foreach_mul(gradients, [-eta for eta in rates]))
        changes = _functions._foreach_sub(params, axs)
        _functions._foreach_add_(axs, _functions._foreach_mul(changes, values(mus)))
        counts = values(steps)
        _functions._foreach_zero_(etas)
        _functions._foreach_add_(etas, [lr / (1 + lambd * lr * n) ** alpha for n in counts])
        _functions._foreach_zero_(mus)
        _functions._foreach_add_(mus, [1 / max(1.0, n - t0) for n in counts])
