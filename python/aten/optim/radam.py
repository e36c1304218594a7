"""RAdam."""

from __future__ import annotations

import math

from ._checks import check_betas, check_not_negative
from ._lists import ListOptimizer, _functions, denominators, values
from .adam import average

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor
    from ._lists import Tensors
    from .optimizer import ParamsT

__all__ = ["RAdam"]


class RAdam(ListOptimizer):
    """RAdam (Liu et al., 2019): Adam whose adaptive rate is scaled by a factor for its variance. In the first
    steps, where the variance is unknown, it is momentum alone."""

    buffers = {"exp_avg": None, "exp_avg_sq": None}

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    @staticmethod
    def _update(
        params: Tensors,
        gradients: Tensors,
        steps: Tensors,
        exp_avgs: Tensors,
        exp_avg_sqs: Tensors,
        *,
        lr: float,
        betas: tuple[float, float],
        eps: float,
        **options: Any,
    ) -> None:
        beta1, beta2 = betas
        average(exp_avgs, exp_avg_sqs, gradients, beta1, beta2)
        counts = values(steps)
        factors = [rectification(n, beta2) for n in counts]
        adaptive = [i for i, factor in enumerate(factors) if factor is not None]
        plain = [i for i, factor in enumerate(factors) if factor is None]
        rates = [-lr / (1 - beta1**n) * (factor or 1) for n, factor in zip(counts, factors, strict=True)]
        if adaptive:
            roots = [(1 - beta2 ** counts[i]) ** 0.5 for i in adaptive]
            divisors = denominators([exp_avg_sqs[i] for i in adaptive], eps)
            _functions._foreach_addcdiv_(
                [params[i] for i in adaptive],
                [exp_avgs[i] for i in adaptive],
                divisors,
                [rates[i] * root for i, root in zip(adaptive, roots, strict=True)],
            )
        if plain:
            updates = _functions._foreach_mul([exp_avgs[i] for i in plain], [rates[i] for i in plain])
            _functions._foreach_add_([params[i] for i in plain], updates)


def rectification(n: float, beta2: float) -> float | None:
    """The factor of the adaptive rate in step `n`; None while its variance is unknown."""
    last = 2 / (1 - beta2) - 1
    length = last - 2 * n * beta2**n / (1 - beta2**n)
    if length <= 5:
        return None
    ratio: float = (length - 4) * (length - 2) * last / ((last - 4) * (last - 2) * length)
    return math.sqrt(ratio)
