"""The base class of learning rate schedulers."""

from __future__ import annotations

import types
import warnings

from ..._C import Tensor
from ..optimizer import Optimizer

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    Rate: TypeAlias = float | Tensor
    Rates: TypeAlias = list[float | Tensor]

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` is deprecated; call `scheduler.step()` without it. If it "
    "is passed, the closed form of the schedule is used, where there is one."
)


def copied(value: Any) -> Any:
    return value.clone() if isinstance(value, Tensor) else value


def group_values(optimizer: Optimizer, name: str) -> list[Any]:
    """The groups' values of an option; copies, if they are Tensors."""
    return [copied(group[name]) for group in optimizer.param_groups]


def set_value(group: dict[str, Any], name: str, value: Any) -> None:
    """Sets a group's option; a Tensor keeps being the same one."""
    if isinstance(group[name], Tensor):
        group[name].fill_(value.squeeze() if isinstance(value, Tensor) else value)
    else:
        group[name] = value


def per_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """A value for each group: those of a list, or the same one for all."""
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [copied(value) for _ in range(groups)]
    if len(value) != groups:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. "
            f"{name} has {len(value)} values, param_groups has {groups}."
        )
    return [copied(v) for v in value]


def check_optimizer(optimizer: object) -> None:
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def callable_state(function: Any) -> dict[str, Any] | None:
    """What a state dict has of a callable: an object's attributes; None for a function."""
    return None if isinstance(function, types.FunctionType) else function.__dict__.copy()


class LRScheduler:
    """Sets the "lr" of an optimizer's groups at each step(), to what get_lr() returns. Groups keep their
    first learning rate as "initial_lr". A `last_epoch` other than -1 resumes after that epoch. To be stepped
    after the optimizer."""

    _get_lr_called_within_step = False
    _is_initial = False
    _not_saved: tuple[str, ...] = ("optimizer",)  # attributes that state_dict() leaves out

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with "
                    f"last_epoch >= 0 (got {last_epoch}); load the optimizer's state before"
                )
        self.base_lrs: Rates = group_values(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        if not hasattr(optimizer, "_step_when_scheduled"):  # for the warnings about the order of calls
            vars(optimizer).update(_step_when_scheduled=vars(optimizer).get("step"), _opt_called=False)
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """The scheduler's attributes, without the optimizer."""
        return {name: value for name, value in vars(self).items() if name not in self._not_saved}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Loads what state_dict() returned."""
        vars(self).update(state_dict)

    def get_last_lr(self) -> Rates:
        """The learning rates that the last step set, one per group."""
        return self._last_lr

    def get_lr(self) -> Rates:
        """Computes the next learning rates; for step()."""
        raise NotImplementedError(f"{type(self).__name__} has no get_lr()")

    def _warn_outside_step(self) -> None:
        if not self._get_lr_called_within_step:
            warnings.warn(
                "get_lr() is for the scheduler's step(): to get the last learning rate computed by the "
                "scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )

    def step(self, epoch: int | None = None) -> None:
        """Sets the learning rates of the next epoch; or of `epoch`, which is deprecated."""
        if self._step_count == 1:
            self._warn_order()
        self._step_count += 1
        if epoch is not None:
            warn_epoch()
        self._update_lr(epoch)

    def _warn_order(self) -> None:
        attributes = vars(self.optimizer)
        if attributes.get("step") is not attributes["_step_when_scheduled"]:
            text = "`optimizer.step()` has been overridden after learning rate scheduler initialization: "
            text += "calls of it before `lr_scheduler.step()` can't be checked."
        elif not attributes["_opt_called"]:
            text = "Detected call of `lr_scheduler.step()` before `optimizer.step()`: "
            text += "the first value of the learning rate schedule is skipped. Call `optimizer.step()` first."
        else:
            return
        warnings.warn(text, UserWarning, stacklevel=3)

    def _update_lr(self, epoch: int | None = None) -> None:
        self._get_lr_called_within_step = True
        try:
            self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
            closed = getattr(self, "_get_closed_form_lr", None)
            rates = self.get_lr() if epoch is None or closed is None else closed()
        finally:
            self._get_lr_called_within_step = False
        self._set_rates(rates)

    def _set_rates(self, rates: Iterable[Rate]) -> None:
        for group, lr in zip(self.optimizer.param_groups, rates, strict=True):
            set_value(group, "lr", lr)
        self._last_lr: Rates = group_values(self.optimizer, "lr")


def warn_epoch() -> None:
    warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=3)


class _LambdaScheduler(LRScheduler):
    """A scheduler with a function of the epoch for each group; functions of class objects are saved."""

    _not_saved = ("optimizer", "lr_lambdas")

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        groups = len(optimizer.param_groups)
        functions = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * groups
        if len(functions) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(functions)}")
        for function in functions:
            if not callable(function):
                raise TypeError(f"lr_lambda should be a function, but got {type(function).__name__}")
        self.lr_lambdas = functions
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """The scheduler's attributes; of its functions, the attributes of those that are objects."""
        return {**super().state_dict(), "lr_lambdas": [callable_state(f) for f in self.lr_lambdas]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Loads what state_dict() returned; functions have to be passed to the constructor again."""
        rest = dict(state_dict)
        for function, state in zip(self.lr_lambdas, rest.pop("lr_lambdas"), strict=True):
            if state is not None:
                function.__dict__.update(state)
        super().load_state_dict(rest)


class LambdaLR(_LambdaScheduler):
    """lr = initial lr * lr_lambda(epoch), with one function or one per group."""

    def get_lr(self) -> Rates:
        self._warn_outside_step()
        return [lr * f(self.last_epoch) for f, lr in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(_LambdaScheduler):
    """lr *= lr_lambda(epoch), with one function or one per group."""

    def get_lr(self) -> Rates:
        self._warn_outside_step()
        rates = group_values(self.optimizer, "lr")
        if self._is_initial:
            return rates
        return [lr * f(self.last_epoch) for f, lr in zip(self.lr_lambdas, rates, strict=True)]
