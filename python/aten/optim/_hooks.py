"""Hooks of optimizers: their registration, and the wrapper of step() that calls them."""

from __future__ import annotations

import functools

from ..utils.hooks import Hooks, RemovableHandle, add

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Of all optimizers.
global_pre_hooks: Any = Hooks()
global_post_hooks: Any = Hooks()


def registration(place: str, when: str) -> Callable[..., RemovableHandle]:
    """The method that registers hooks in the optimizer's attribute `place`."""

    def register(self: Any, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        return add(getattr(self, place), hook, prepend)

    register.__doc__ = (
        f"Registers a hook that is called {when}. With `prepend` it is called before the hooks that are "
        "registered already. Returns a handle whose remove() removes it."
    )
    return register


def hooked(step: Callable[..., Any]) -> Callable[..., Any]:
    """`step` with the calls of hooks, those of all optimizers outside of the optimizer's own."""

    @functools.wraps(step)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        self = args[0]
        if type(self).step is not wrapper:  # a subclass calls super().step(): its own wrapper calls the hooks
            return step(*args, **kwargs)
        self._opt_called = True
        for hook in (*global_pre_hooks.values(), *self._optimizer_step_pre_hooks.values()):
            changed = hook(self, args, kwargs)
            if changed is not None:
                if not isinstance(changed, tuple) or len(changed) != 2:
                    raise RuntimeError(
                        f"{hook} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                    )
                args, kwargs = changed
        result = step(*args, **kwargs)
        for hook in (*self._optimizer_step_post_hooks.values(), *global_post_hooks.values()):
            hook(self, args, kwargs)
        return result

    return wrapper
