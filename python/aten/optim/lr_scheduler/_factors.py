"""Schedulers whose learning rate is the initial one times a function of the epoch."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter

from ._base import LRScheduler, group_values

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..optimizer import Optimizer
    from ._base import Rates


class FactorScheduler(LRScheduler):
    """lr = initial lr * _factor(epoch). A step multiplies lr by the factor's change, so that it can be
    combined with other schedulers."""

    _changes_when_resumed = True

    def _factor(self, epoch: int) -> float:
        """The factor of an epoch; subclasses define it."""
        raise NotImplementedError(f"{type(self).__name__} has no _factor()")

    def _change(self, epoch: int) -> float:
        now = self._factor(epoch)
        if epoch == 0:
            return now
        before = self._factor(epoch - 1)
        return 1.0 if now == before else now / before

    def get_lr(self) -> Rates:
        self._warn_outside_step()
        rates = group_values(self.optimizer, "lr")
        if self._is_initial and self.last_epoch != 0 and not self._changes_when_resumed:
            return rates
        change = self._change(self.last_epoch)
        return rates if change == 1 else [lr * change for lr in rates]

    def _get_closed_form_lr(self) -> Rates:
        return [lr * self._factor(self.last_epoch) for lr in self.base_lrs]


class StepLR(FactorScheduler):
    """Multiplies the learning rate by `gamma` every `step_size` epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return self.gamma ** (epoch // self.step_size)


class MultiStepLR(FactorScheduler):
    """Multiplies the learning rate by `gamma` at each of the epochs `milestones`."""

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return self.gamma ** bisect_right(sorted(self.milestones.elements()), epoch)


class ConstantLR(FactorScheduler):
    """Multiplies the learning rate by `factor` for the first `total_iters` epochs."""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if not 0 <= factor <= 1:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return self.factor if epoch < self.total_iters else 1.0


class LinearLR(FactorScheduler):
    """Multiplies the learning rate by a factor that goes linearly from `start_factor` to `end_factor` in
    `total_iters` epochs."""

    _changes_when_resumed = False

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal to 1."
            )
        if not 0 <= end_factor <= 1:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        progress = min(self.total_iters, epoch) / (self.total_iters or 1)
        return self.start_factor + (self.end_factor - self.start_factor) * progress


class ExponentialLR(FactorScheduler):
    """Multiplies the learning rate by `gamma` every epoch."""

    _changes_when_resumed = False

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        return self.gamma**epoch

    def _change(self, epoch: int) -> float:
        return self.gamma if epoch > 0 else 1.0


class PolynomialLR(FactorScheduler):
    """Multiplies the learning rate by (1 - epoch / total_iters) ** power, until that is 0."""

    _changes_when_resumed = False

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch: int) -> float:
        factor: float = (1 - min(self.total_iters, epoch) / (self.total_iters or 1)) ** self.power
        return factor


class CosineAnnealingLR(LRScheduler):
    """Half a period of a cosine from the initial learning rate to `eta_min` in `T_max` epochs, and back."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Rates:
        self._warn_outside_step()
        rates = group_values(self.optimizer, "lr")
        if self._is_initial:
            return rates
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # the epoch before was at eta_min
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [lr + (base - self.eta_min) * rise for lr, base in zip(rates, self.base_lrs, strict=True)]
        change = self._height(self.last_epoch) / self._height(self.last_epoch - 1)
        return [self.eta_min + (lr - self.eta_min) * change for lr in rates]

    def _height(self, epoch: int) -> float:
        return (1 + math.cos(math.pi * epoch / self.T_max)) / 2

    def _get_closed_form_lr(self) -> Rates:
        height = self._height(self.last_epoch)
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a period of a cosine from the initial learning rate to `eta_min` in `T_0` epochs, then from the
    start again, each time `T_mult` times as long. step() also takes a fraction of an epoch."""

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Rates:
        self._warn_outside_step()
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Sets the learning rates of the next epoch, or of `epoch`, which may be a fraction."""
        if epoch is None and self.last_epoch >= 0:
            self.last_epoch += 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            self._start_at(epoch or 0)
        self._get_lr_called_within_step = True
        try:
            rates = self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        self._set_rates(rates)

    def _start_at(self, epoch: float) -> None:
        if epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        if self.T_mult == 1 or epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch % self.T_0
        else:
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**n
        self.last_epoch = math.floor(epoch)
