"""The base class of optimizers."""

from __future__ import annotations

import warnings
from collections import OrderedDict, defaultdict
from copy import deepcopy

from .. import _C
from .._C import Tensor
from .._functions import typename
from ..utils.hooks import RemovableHandle
from . import _hooks

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    ParamsT: TypeAlias = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
    StateDict: TypeAlias = dict[str, Any]
else:
    ParamsT = object  # programs import it for annotations

__all__ = ["Optimizer", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook"]

_functions: Any = _C._VariableFunctions


class _RequiredParameter:
    def __repr__(self) -> str:
        return "<required parameter>"


required = _RequiredParameter()  # the default of an option that each group must have


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Registers `hook(optimizer, args, kwargs)`, called before each step of all optimizers. It returns None,
    or the arguments that replace those of the step: `(args, kwargs)`."""
    return _hooks.add(_hooks.global_pre_hooks, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Registers `hook(optimizer, args, kwargs)`, called after each step of all optimizers."""
    return _hooks.add(_hooks.global_post_hooks, hook)


class Optimizer:
    """The base class of optimizers. `params` are Tensors, pairs of a name and a Tensor, or dicts: groups of
    these under "params", with options of the group. `defaults` are the options of groups without their own.

    `param_groups` has the groups, `state` what the optimizer keeps for each parameter."""

    _HOOKS = tuple(
        f"_optimizer_{place}_hooks"
        for place in (
            "step_pre",
            "step_post",
            "state_dict_pre",
            "state_dict_post",
            "load_state_dict_pre",
            "load_state_dict_post",
        )
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in vars(cls):
            cls.step = _hooks.hooked(cls.step)  # type: ignore[method-assign]

    def __init__(self, params: ParamsT, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + typename(params)
            )
        self.defaults = defaults
        self._add_hooks()
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def _add_hooks(self) -> None:
        for name in self._HOOKS:
            vars(self).setdefault(name, OrderedDict())

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._add_hooks()

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
        return text + ")"

    register_step_pre_hook = _hooks.registration(
        "_optimizer_step_pre_hooks",
        "as hook(optimizer, args, kwargs) before each step; it returns None, or new (args, kwargs)",
    )
    register_step_post_hook = _hooks.registration(
        "_optimizer_step_post_hooks", "as hook(optimizer, args, kwargs) after each step"
    )
    register_state_dict_pre_hook = _hooks.registration(
        "_optimizer_state_dict_pre_hooks", "as hook(optimizer) before state_dict()"
    )
    register_state_dict_post_hook = _hooks.registration(
        "_optimizer_state_dict_post_hooks",
        "as hook(optimizer, state_dict) after state_dict(); it may return a dict that is used instead",
    )
    register_load_state_dict_pre_hook = _hooks.registration(
        "_optimizer_load_state_dict_pre_hooks",
        "as hook(optimizer, state_dict) before load_state_dict(), with a shallow copy of its argument; it "
        "may return a dict that is loaded instead",
    )
    register_load_state_dict_post_hook = _hooks.registration(
        "_optimizer_load_state_dict_post_hooks", "as hook(optimizer) after load_state_dict()"
    )

    def state_dict(self) -> StateDict:
        """A dict of "state", by the number of each parameter, and "param_groups" with these numbers as
        "params". Its tensors are those of the optimizer, not copies."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers: dict[int, int] = {}
        start, groups = 0, []
        for group in self.param_groups:
            for number, p in enumerate(group["params"], start):
                numbers.setdefault(id(p), number)
            start += len(group["params"])
            packed = {name: value for name, value in group.items() if name != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {numbers[id(k)] if isinstance(k, Tensor) else k: v for k, v in self.state.items()}
        result: StateDict = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, result)
            if changed is not None:
                result = changed
        return result

    def load_state_dict(self, state_dict: StateDict) -> None:
        """Loads what state_dict() returned. State is converted to its parameter's device and dtype, but for
        "step". ValueError if the numbers of groups or of their parameters differ."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        saved = deepcopy(state_dict["param_groups"])
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        parameters: dict[int, tuple[Tensor, dict[str, Any]]] = {}
        for group, new in zip(self.param_groups, saved, strict=True):
            if len(new["params"]) != len(group["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of "
                    "optimizer's group"
                )
            parameters.update(
                (number, (p, new)) for number, p in zip(new["params"], group["params"], strict=True)
            )
        state: defaultdict[Any, Any] = defaultdict(dict)
        for number, value in state_dict["state"].items():
            if number in parameters:
                p, new = parameters[number]
                state[p] = _converted(value, p, new)
            else:
                state[number] = value
        for group, new in zip(self.param_groups, saved, strict=True):
            new["params"] = group["params"]
            if "param_names" in group:
                new.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Removes the gradients of all parameters; fills them with zeros unless `set_to_none`."""
        filled: defaultdict[Any, list[Tensor]] = defaultdict(list)
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                    continue
                if p.grad.grad_fn is not None:
                    p.grad.detach_()
                else:
                    p.grad.requires_grad_(False)
                filled[p.device, p.dtype].append(p.grad)
        for gradients in filled.values():
            _functions._foreach_zero_(gradients)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Updates the parameters. `closure` computes the loss and the gradients again, and returns the
        loss."""
        raise NotImplementedError(f"{type(self).__name__} has no step()")

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group: a dict of "params" and options. TypeError for parameters that are no Tensors or have
        no order, ValueError for those that are not leaves or are in a group already."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        _unpack_parameters(param_group)
        for p in param_group["params"]:
            if not isinstance(p, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {typename(p)}"
                )
            if not self.defaults.get("differentiable") and not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    f"parameter group didn't specify a value of required optimization parameter {name}"
                )
            param_group.setdefault(name, default)
        new = set(param_group["params"])
        if len(new) != len(param_group["params"]):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; this will be an error",
                stacklevel=3,
            )
        named = "param_names" in param_group
        for group in self.param_groups:
            if named != ("param_names" in group):
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param group "
                    f"{'with' if named else 'without'} names to the optimizer"
                )
            if not new.isdisjoint(group["params"]):
                raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)


def _unpack_parameters(group: dict[str, Any]) -> None:
    """Makes the group's "params" a list of Tensors, and "param_names" that of their names, if they have
    any."""
    params = group["params"]
    if isinstance(params, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering of tensors "
            "in sets will change between runs. Please use a list instead."
        )
    params = [params] if isinstance(params, Tensor) else list(params)
    names = [p[0] for p in params if isinstance(p, tuple)]
    if names:
        if len(names) != len(params):
            raise ValueError(
                "all optimizer params should be with/without names. Some param names are missing"
            )
        group["param_names"] = names
        params = [p[1] for p in params]
    group["params"] = params


def _converted(value: Any, p: Tensor, group: dict[str, Any], name: Any = None) -> Any:
    """The state `value` of a parameter, with its tensors on the parameter's device and in its dtype. "step"
    stays as it is, unless the group's options need it on the device."""
    if isinstance(value, Tensor):
        if name == "step":
            on_device = group.get("capturable") or group.get("fused")
            return value.to(dtype=_C.float32, device=p.device) if on_device else value
        return value.to(p.device, p.dtype) if p.is_floating_point() else value.to(p.device)
    if isinstance(value, dict):
        return {key: _converted(item, p, group, key) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return type(value)(_converted(item, p, group) for item in value)
    return value
