"""NAdam."""

from __future__ import annotations

from ._checks import check_betas, check_not_negative
from ._lists import ListOptimizer, _functions, denominators, values
from .adam import average

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor
    from ._lists import Tensors
    from .optimizer import ParamsT

__all__ = ["NAdam"]


class NAdam(ListOptimizer):
    """NAdam (Dozat, 2016): Adam with Nesterov momentum, whose factor grows to betas[0] at a pace that
    `momentum_decay` sets."""

    scalars = {"step": 0.0, "mu_product": 1.0}
    buffers = {"exp_avg": None, "exp_avg_sq": None}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay, momentum_decay=momentum_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        mu_products: Tensors,
        exp_avgs: Tensors,
        exp_avg_sqs: Tensors,
        *,
        lr: float,
        betas: tuple[float, float],
        eps: float,
        momentum_decay: float,
        **options: Any,
    ) -> None:
        beta1, beta2 = betas
        average(exp_avgs, exp_avg_sqs, gradients, beta1, beta2)
        counts = values(steps)
        divisors = denominators(exp_avg_sqs, eps, [(1 - beta2**n) ** 0.5 for n in counts])

        def momentum(n: float) -> float:
            factor: float = 1 - 0.5 * 0.96 ** (n * momentum_decay)
            return beta1 * factor

        _functions._foreach_mul_(mu_products, [momentum(n) for n in counts])
        products = values(mu_products)
        now = [-lr * (1 - momentum(n)) / (1 - mu) for n, mu in zip(counts, products, strict=True)]
        following = [momentum(n + 1) for n in counts]
        later = [-lr * mu / (1 - product * mu) for product, mu in zip(products, following, strict=True)]
        _functions._foreach_addcdiv_(params, gradients, divisors, now)
        _functions._foreach_addcdiv_(params, exp_avgs, divisors, later)
