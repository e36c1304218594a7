"""Hooks of modules: their registration, and the call of a module that has some."""

from __future__ import annotations

import warnings
import weakref
from types import SimpleNamespace

from ..._C import Tensor, _set_module_hooks
from ...utils.hooks import Hooks, RemovableHandle
from ...utils.hooks import add as register
from ._backward_hooks import BackwardHook, register_on_last_node

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

# The hooks that each module has, by the name of the attribute: first those that each call looks for.
CALLED = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
NAMES = (
    *CALLED,
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)


def new(names: tuple[str, ...] = NAMES) -> dict[str, Any]:
    """Hooks of these names, empty."""
    return {name: Hooks() for name in names}


class WithModule:
    """A hook that is called with the module as its first argument; it doesn't keep the module alive."""

    def __init__(self, hook: Callable[..., Any], module: object) -> None:
        self.hook, self.module = hook, weakref.ref(module)

    def __call__(self, *args: Any) -> Any:
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args)

    def __getstate__(self) -> Any:
        return self.hook, self.module()

    def __setstate__(self, state: Any) -> None:
        self.hook, module = state
        self.module = weakref.ref(module)


# Hooks of all modules.
_PLACES = (*NAMES[:6], "buffer_registration", "module_registration", "parameter_registration")
everywhere = SimpleNamespace(**new(_PLACES), _is_full_backward_hook=None)
# Those that each call looks for.
forward_everywhere = everywhere._forward_hooks
forward_pre_everywhere = everywhere._forward_pre_hooks
backward_everywhere = everywhere._backward_hooks
backward_pre_everywhere = everywhere._backward_pre_hooks


def registered(kind: str, module: Any, name: str, value: Any) -> Any:
    """Calls the hooks for registrations, and returns the value or what they replace it by."""
    for hook in getattr(everywhere, f"{kind}_registration").values():
        changed = hook(module, name, value)
        if changed is not None:
            value = changed
    return value


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls hook(module, name, buffer) when a buffer is registered with any module; a result other than None
    replaces the buffer."""
    return register(everywhere.buffer_registration, hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls hook(module, name, submodule) when a submodule is registered with any module."""
    return register(everywhere.module_registration, hook)


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls hook(module, name, parameter) when a parameter is registered with any module."""
    return register(everywhere.parameter_registration, hook)


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls hook(module, args) before forward() of every module. See Module.register_forward_pre_hook."""
    return register(forward_pre_everywhere, hook)


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Calls hook(module, args, output) after forward() of every module. See Module.register_forward_hook."""
    marks = (
        (everywhere._forward_hooks_with_kwargs, with_kwargs),
        (everywhere._forward_hooks_always_called, always_call),
    )
    return register(forward_everywhere, hook, marks=marks)


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls hook(module, grad_output) for every module. See Module.register_full_backward_pre_hook."""
    return register(backward_pre_everywhere, hook)


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls hook(module, grad_input, grad_output) for every module. See the method of Module."""
    _use_full_hooks(everywhere, True)
    return register(backward_everywhere, hook)


def register_module_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls hook(module, grad_input, grad_output) for every module; deprecated. See
    Module.register_backward_hook."""
    _use_full_hooks(everywhere, False)
    return register(backward_everywhere, hook)


def _use_full_hooks(owner: Any, full: bool) -> None:
    """The backward hooks of a module, or those of all modules, are of one kind."""
    if owner._is_full_backward_hook is (not full):
        which = "as a global Module hook" if owner is everywhere else "on a single Module"
        raise RuntimeError(
            f"Cannot use both regular backward hooks and full backward hooks {which}: register all by "
            "register_full_backward_hook()"
        )
    owner._is_full_backward_hook = full


class HookedModule:
    """The part of Module that registers hooks of calls. All return a handle with a method remove()."""

    _is_full_backward_hook: bool | None = None

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Calls hook(module, args) before forward(). A result other than None replaces args; one that isn't a
        tuple is the only argument. With `with_kwargs`: hook(module, args, kwargs) -> (args, kwargs) | None.
        With `prepend`, it is called before the other hooks."""
        own: Any = self
        marks = ((own._forward_pre_hooks_with_kwargs, with_kwargs),)
        return register(own._forward_pre_hooks, hook, prepend=prepend, marks=marks)

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Calls hook(module, args, output) after forward(); a result other than None replaces the output.
        With `with_kwargs`: hook(module, args, kwargs, output). With `always_call`, also if an error was
        raised."""
        own: Any = self
        marks = (
            (own._forward_hooks_with_kwargs, with_kwargs),
            (own._forward_hooks_always_called, always_call),
        )
        return register(own._forward_hooks, hook, prepend=prepend, marks=marks)

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Calls hook(module, grad_output) before the module's gradients are computed; a result other than
        None replaces grad_output."""
        own: Any = self
        return register(own._backward_pre_hooks, hook, prepend=prepend)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Calls hook(module, grad_input, grad_output) when the gradients of the inputs are computed; a result
        other than None replaces grad_input. Both are tuples with None for what isn't a tensor."""
        own: Any = self
        _use_full_hooks(own, True)
        return register(own._backward_hooks, hook, prepend=prepend)

    def register_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls hook(module, grad_input, grad_output) with the gradients of the operator that made the
        output, the module's last one; deprecated: register_full_backward_hook() has those of the module."""
        own: Any = self
        _use_full_hooks(own, False)
        return register(own._backward_hooks, hook)


def call(module: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """A call of a module that has hooks."""
    called: set[int] = set()
    result = None
    try:
        args, kwargs = _before_forward(module, args, kwargs)
        backward = None
        hooks, of_last_node = _backward_hooks(module)
        pre_hooks = [*backward_pre_everywhere.values(), *module._backward_pre_hooks.values()]
        if hooks or pre_hooks:
            backward = BackwardHook(module, hooks, pre_hooks)
            args = backward.setup_input_hook(args)
        result = module.forward(*args, **kwargs)
        for number, hook, with_kwargs, _ in _after_forward(module):
            called.add(number)
            changed = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
            if changed is not None:
                result = changed
        if of_last_node:
            register_on_last_node(module, of_last_node, args, result)
        if backward is None:
            return result
        if not isinstance(result, (Tensor, tuple)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but "
                f"received {type(result)}",
                stacklevel=2,
            )
        return backward.setup_output_hook(result)
    except Exception:
        _after_error(module, args, kwargs, result, called)
        raise


def _backward_hooks(module: Any) -> tuple[list[Any], list[Any]]:
    """The full backward hooks, and the others."""
    full: list[Any] = []
    others: list[Any] = []
    for owner in (everywhere, module):
        (others if owner._is_full_backward_hook is False else full).extend(owner._backward_hooks.values())
    return full, others


def _before_forward(module: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    for number, hook in (*forward_pre_everywhere.items(), *module._forward_pre_hooks.items()):
        if number not in module._forward_pre_hooks_with_kwargs:
            changed = hook(module, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
            continue
        changed = hook(module, args, kwargs)
        if changed is None:
            continue
        if not isinstance(changed, tuple) or len(changed) != 2:
            raise RuntimeError(
                f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed}."
            )
        args, kwargs = changed
    return args, kwargs


def _after_forward(module: Any) -> Iterator[tuple[int, Any, bool, bool]]:
    """The forward hooks: number, hook, whether it gets keyword arguments, whether it is always called."""
    for owner in (everywhere, module):
        for number, hook in tuple(owner._forward_hooks.items()):
            with_kwargs = number in owner._forward_hooks_with_kwargs
            yield number, hook, with_kwargs, number in owner._forward_hooks_always_called


def _after_error(module: Any, args: Any, kwargs: Any, result: Any, called: set[int]) -> None:
    """Calls the hooks that are always called and weren't yet. Errors in them are warnings."""
    for number, hook, with_kwargs, always in _after_forward(module):
        if not always or number in called:
            continue
        try:
            changed = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
        except Exception as error:
            warnings.warn(
                "module forward hook with ``always_call=True`` raised an exception that was silenced as "
                f"another error was raised in forward: {error}",
                stacklevel=3,
            )
        else:
            result = result if changed is None else changed


_everywhere = (backward_pre_everywhere, backward_everywhere, forward_everywhere, forward_pre_everywhere)
_set_module_hooks(CALLED, _everywhere, call)
