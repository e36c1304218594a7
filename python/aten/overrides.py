"""__torch_function__: how classes and modes override the package's functions."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class TorchFunctionMode:
    """While the mode is entered, all calls of functions and methods go to its `__torch_function__`. The mode
    is disabled inside of it."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        raise NotImplementedError(f"{type(self).__name__}.__torch_function__")

    def __enter__(self) -> Any:
        _C._push_function_mode(self)
        return self

    def __exit__(self, *error: object) -> None:
        popped = _C._pop_function_mode()
        assert popped is self, "modes must be left in the reverse order of entering"


class DisableTorchFunctionSubclass:
    """A context in which overrides of subclasses are disabled."""

    def __enter__(self) -> None:
        self._before = _C._set_torch_function_enabled(False)

    def __exit__(self, *error: object) -> None:
        _C._set_torch_function_enabled(self._before)


def has_torch_function(relevant_args: Any) -> bool:
    """Whether one of the arguments overrides functions."""
    return any(_C._has_torch_function(a) for a in relevant_args)
