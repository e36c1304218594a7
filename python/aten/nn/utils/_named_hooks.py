"""Forward pre-hooks that compute one tensor of a module, and know its name."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


def _find(hooks: dict[int, Any], cls: Any, name: str) -> int | None:
    """The number of the hook of the class for the name."""
    return next((k for k, hook in hooks.items() if isinstance(hook, cls) and hook.name == name), None)


def check_single(module: Any, cls: type, what: str, name: str) -> None:
    """RuntimeError if the module has such a hook already."""
    if _find(module._forward_pre_hooks, cls, name) is not None:
        raise RuntimeError(f"Cannot register two {what} hooks on the same parameter {name}")


def remove_hook(module: Any, cls: type, what: str, name: str) -> None:
    """Removes the hook, after calling its remove(module). ValueError if there is none."""
    number = _find(module._forward_pre_hooks, cls, name)
    if number is None:
        raise ValueError(f"{what} of '{name}' not found in {module}")
    module._forward_pre_hooks[number].remove(module)
    del module._forward_pre_hooks[number]


def drop_hook(hooks: dict[int, Any], cls: type, name: str) -> None:
    """Removes the hook of the class for the name, if there is one."""
    number = _find(hooks, cls, name)
    if number is not None:
        del hooks[number]
