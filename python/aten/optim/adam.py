"""Adam."""

from __future__ import annotations

from .._C import Tensor
from ._checks import check_betas, check_implementation, check_not_negative
from ._lists import ListOptimizer, _functions, denominators, values

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from ._lists import Tensors
    from .optimizer import ParamsT

__all__ = ["Adam"]


class Adam(ListOptimizer):
    """Adam (Kingma and Ba, 2014): p -= lr * m / (sqrt(v) + eps), where m and v are the moving averages of the
    gradient and of its square, corrected for starting at 0. `amsgrad` uses the largest v so far, and
    `decoupled_weight_decay` is AdamW."""

    buffers = {"exp_avg": None, "exp_avg_sq": None, "max_exp_avg_sq": "amsgrad"}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        if isinstance(betas[0], Tensor) != isinstance(betas[1], Tensor):
            raise ValueError("betas must be either both floats or both Tensors")
        for name, value in (("lr", lr), ("betas[0]", betas[0]), ("betas[1]", betas[1])):
            if isinstance(value, Tensor):
                if foreach and not capturable:
                    raise ValueError(
                        f"{name} as a Tensor is not supported for capturable=False and foreach=True"
                    )
                if value.numel() != 1:
                    raise ValueError(f"Tensor {name} must be 1-element")
        check_implementation(fused, foreach, differentiable)
        defaults = {
            "lr": lr,
            "betas": tuple(beta.squeeze() if isinstance(beta, Tensor) else beta for beta in betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        exp_avgs: Tensors,
        exp_avg_sqs: Tensors,
        max_exp_avg_sqs: Tensors | None,
        *,
        lr: float,
        betas: tuple[float, float],
        eps: float,
        **options: Any,
    ) -> None:
        beta1, beta2 = betas
        average(exp_avgs, exp_avg_sqs, gradients, beta1, beta2)
        if max_exp_avg_sqs is not None:
            _functions._foreach_maximum_(max_exp_avg_sqs, exp_avg_sqs)
            exp_avg_sqs = max_exp_avg_sqs
        counts = values(steps)
        divisors = denominators(exp_avg_sqs, eps, [(1 - beta2**n) ** 0.5 for n in counts])
        _functions._foreach_addcdiv_(params, exp_avgs, divisors, [-lr / (1 - beta1**n) for n in counts])

    @staticmethod
    def _fused(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        exp_avgs: Tensors,
        exp_avg_sqs: Tensors,
        max_exp_avg_sqs: Tensors | None,
        *,
        lr: float,
        betas: tuple[float, float],
        eps: float,
        weight_decay: float,
        amsgrad: bool,
        maximize: bool,
        decoupled_weight_decay: bool,
        grad_scale: Tensor | None = None,
        found_inf: Tensor | None = None,
        **options: Any,
    ) -> None:
        update = _functions._fused_adamw_ if decoupled_weight_decay else _functions._fused_adam_
        update(
            params,
            gradients,
            exp_avgs,
            exp_avg_sqs,
            max_exp_avg_sqs or [],
            steps,
            lr=lr,
            beta1=betas[0],
            beta2=betas[1],
            weight_decay=weight_decay,
            eps=eps,
            amsgrad=amsgrad,
            maximize=maximize,
            grad_scale=grad_scale,
            found_inf=found_inf,
        )


def average(exp_avgs: Tensors, exp_avg_sqs: Tensors, gradients: Tensors, beta1: float, beta2: float) -> None:
    """Updates the moving averages of gradients and of their squares."""
    _functions._foreach_lerp_(exp_avgs, gradients, 1 - beta1)
    _functions._foreach_mul_(exp_avg_sqs, beta2)
    _functions._foreach_addcmul_(exp_avg_sqs, gradients, gradients, 1 - beta2)
