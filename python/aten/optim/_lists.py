"""Optimizers that update all parameters of a device and dtype at once, by operators on lists of tensors."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from ..autograd.grad_mode import enable_grad, set_grad_enabled
from ._checks import number
from .optimizer import Optimizer

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar, TypeAlias

    Tensors: TypeAlias = list[Tensor]
    Group: TypeAlias = dict[str, Any]
    State: TypeAlias = dict[str, Any]
    Member: TypeAlias = tuple[Tensor, Tensor, State]

_functions: Any = _C._VariableFunctions

# Devices of fused operators, and those where the options fused and capturable keep "step".
_FUSED_DEVICES = ["cpu", "cuda"]
_CAPTURABLE_DEVICES = ["cuda"]

# Options that state dicts of early versions don't have, with what they mean then.
_LATER_OPTIONS = {
    "momentum": 0,
    "centered": False,
    "nesterov": False,
    "amsgrad": False,
    "maximize": False,
    "foreach": None,
    "capturable": False,
    "differentiable": False,
    "decoupled_weight_decay": False,
    "fused": None,
}


class ListOptimizer(Optimizer):
    """An optimizer whose `_update` takes lists: parameters, gradients, then a list for each name in `scalars`
    and in `buffers`, and the group's options as keywords. With foreach=False the lists have one element."""

    # State of no dimensions, with its first value: None is the learning rate.
    scalars: ClassVar[dict[str, float | None]] = {"step": 0.0}
    # State in the parameter's shape, with the option or kind that has it; without that, its list is None.
    buffers: ClassVar[dict[str, str | None]] = {}
    _update: ClassVar[Callable[..., None]]
    _fused: ClassVar[Callable[..., None] | None] = None

    @property
    def _step_supports_amp_scaling(self) -> bool:
        """True if step() itself unscales gradients and skips those that aren't finite: a GradScaler then sets
        `grad_scale` and `found_inf`."""
        return self._fused is not None and bool(self.defaults.get("fused"))

    def __setstate__(self, state: State) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in _LATER_OPTIONS.items():
                if name in self.defaults:
                    group.setdefault(name, value)
            for p in group["params"]:
                saved = self.state.get(p, {})
                for name in self.scalars:
                    if saved and not isinstance(saved[name], Tensor):
                        saved[name] = self._scalar(float(saved[name]), p, group)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Updates the parameters that have gradients. `closure` computes loss and gradients again; its loss
        is returned."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with set_grad_enabled(bool(self.defaults.get("differentiable", False))):
            for group in self.param_groups:
                options = {
                    name: tuple(number(name, v) for v in value) if name == "betas" else number(name, value)
                    for name, value in group.items()
                    if name != "params"
                }
                for (_, kind), members in self._members(group).items():
                    self._step_members(members, {**options, "kind": kind})
        return loss

    def _members(self, group: Group) -> dict[tuple[Any, Any], list[Member]]:
        """Parameters with their gradients and states, in lists of those that are updated together."""
        implementation = group.get("foreach"), group.get("fused")
        alone = not any(implementation) and implementation != (None, None)
        stateful = bool(self.scalars) or any(c is None or group.get(c, True) for c in self.buffers.values())
        names: dict[Any, list[str]] = {}
        members: dict[tuple[Any, Any], list[Member]] = {}
        for p in group["params"]:
            gradient = p.grad
            if gradient is None:
                continue
            state = self.state[p] if stateful else {}
            kind = self._kind(p, state)
            if kind not in names:
                names[kind] = self._buffer_names(group, kind)
            if len(state) < len(self.scalars) + len(names[kind]):
                self._fill_state(state, names[kind], p, group)
            key = (id(p) if alone else (p.device, p.dtype), kind)
            members.setdefault(key, []).append((p, gradient, state))
        return members

    def _buffer_names(self, options: Group, kind: object) -> list[str]:
        return [name for name, c in self.buffers.items() if c is None or c == kind or options.get(c)]

    def _fill_state(self, state: State, buffers: Iterable[str], p: Tensor, group: Group) -> None:
        for name in self.scalars:
            if name not in state:
                state[name] = self._first_scalar(name, p, group)
        for name in buffers:
            if name not in state:
                state[name] = self._first_buffer(name, p, group)

    def _kind(self, p: Tensor, state: State) -> object:
        """Parameters of different kinds are updated by different calls, which get it as option "kind". It is
        found before the state is filled."""
        return None

    def _first_scalar(self, name: str, p: Tensor, group: Group) -> Tensor:
        value = self.scalars[name]
        return self._scalar(float(number("lr", group["lr"])) if value is None else value, p, group)

    def _scalar(self, value: float, p: Tensor, group: Group) -> Tensor:
        double = _C.get_default_dtype() == _C.float64 and not group.get("fused")
        on_device = group.get("capturable") or group.get("fused")
        return _functions.full(
            (), value, dtype=_C.float64 if double else _C.float32, device=p.device if on_device else "cpu"
        )

    def _first_buffer(self, name: str, p: Tensor, group: Group) -> Tensor:
        return _functions.zeros_like(p)

    def _step_members(self, members: list[Member], options: Group) -> None:
        params, gradients = [p for p, _, _ in members], [g for _, g, _ in members]
        scalars = {name: [state[name] for _, _, state in members] for name in self.scalars}
        present = self._buffer_names(options, options["kind"])
        buffers: dict[str, Tensors | None] = {
            name: [state[name] for _, _, state in members] if name in present else None
            for name in self.buffers
        }
        if options.get("capturable"):
            _check_capturable(params, scalars.values())
        if options.get("differentiable"):  # the next step writes to the state, which backward may need
            for name, tensors in buffers.items():
                if tensors is not None:
                    buffers[name] = copies = [t.clone() for t in tensors]
                    for (_, _, state), copy in zip(members, copies, strict=True):
                        state[name] = copy
        if "step" in scalars:
            _functions._foreach_add_(scalars["step"], 1)
        update = self._fused if self._fused is not None and _uses_fused(params[0], options) else None
        others = [t if t is None else as_real(t) for t in buffers.values()]
        params, gradients = as_real(params), as_real(gradients)
        if update is None:
            update = self._update
            gradients = self._gradients(params, gradients, options)
            update(params, gradients, *scalars.values(), *others, **options)
            return
        scaling = self._scaling(params[0])
        update(params, gradients, *scalars.values(), *others, **options, **scaling)
        if scaling and "step" in scalars:  # a skipped step doesn't count
            _functions._foreach_sub_(scalars["step"], [scaling["found_inf"]] * len(params))

    def _scaling(self, p: Tensor) -> dict[str, Tensor]:
        """What a GradScaler has set for fused operators, on the parameter's device."""
        found = {name: vars(self).get(name) for name in ("grad_scale", "found_inf")}
        return {name: t.to(p.device, non_blocking=True) for name, t in found.items() if t is not None}

    def _gradients(self, params: Tensors, gradients: Tensors, options: Group) -> Tensors:
        """The gradients of what is minimised: with the penalty for large parameters, if that isn't decoupled
        and shrinks the parameters instead."""
        if options.get("maximize"):
            gradients = _functions._foreach_neg(gradients)
        decay = options.get("weight_decay", 0)
        if decay == 0:
            return gradients
        if options.get("decoupled_weight_decay"):
            _functions._foreach_mul_(params, 1 - options["lr"] * decay)
            return gradients
        return _functions._foreach_add(gradients, unshared(params), alpha=decay)


def as_real(tensors: Tensors) -> Tensors:
    """Complex tensors as real ones, with a last dimension for the parts."""
    if not tensors[0].is_complex():
        return tensors
    return [_functions.view_as_real(t) for t in tensors]


def unshared(tensors: Tensors) -> Tensors:
    """The tensors; copies if autograd keeps them for backward, as they are written to afterwards."""
    return _functions._foreach_clone(tensors) if _C.is_grad_enabled() else tensors


def detached(tensors: Tensors) -> Tensors:
    return [t.detach() for t in tensors] if _C.is_grad_enabled() else tensors


def values(tensors: Tensors) -> list[float]:
    """The numbers in tensors of one element, read at once."""
    return _functions.stack(tensors).tolist()


def denominators(squares: Tensors, eps: float, divisors: list[float] | None = None) -> Tensors:
    """sqrt(squares) / divisors + eps."""
    roots = unshared(_functions._foreach_sqrt(squares))  # the derivative of sqrt needs its result
    if divisors is not None:
        _functions._foreach_div_(roots, divisors)
    _functions._foreach_add_(roots, eps)
    return roots


def _uses_fused(p: Tensor, options: Group) -> bool:
    """True if a fused operator updates parameters like `p`: if that was asked for, or by default on the
    CPU."""
    if options["fused"]:
        _check_fused(p)
        return True
    if options["fused"] is not None or options["foreach"] is not None or options["differentiable"]:
        return False
    return not options.get("capturable") and p.device.type == "cpu" and p.is_floating_point()


def _check_fused(p: Tensor) -> None:
    if not (p.is_floating_point() and p.device.type in _FUSED_DEVICES):
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of supported devices: "
            f"{_FUSED_DEVICES} but {p.dtype} and {p.device.type}"
        )


def _check_capturable(params: Tensors, scalars: Iterable[Tensors]) -> None:
    for tensors in scalars:
        for p, t in zip(params, tensors, strict=True):
            if p.device.type != t.device.type or p.device.type not in _CAPTURABLE_DEVICES:
                raise AssertionError(
                    "If capturable=True, params and state_steps must be on supported devices: "
                    f"{_CAPTURABLE_DEVICES}."
                )
