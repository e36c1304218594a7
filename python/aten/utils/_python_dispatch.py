"""TorchDispatchMode: modes that intercept every operator call of a thread.

    class Log(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            print(func)
            return func(*args, **(kwargs or {}))

    with Log():
        x + y              # aten.add.Tensor

By default a mode is below autograd, so it sees the operators that composite operators call.
`Log(pre_dispatch=True)` is above all keys, and sees composite operators themselves.
"""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class TorchDispatchMode:
    """While the mode is entered, all operator calls go to its `__torch_dispatch__`, inside of which it is
    disabled. Modes can be nested: the innermost is called first; the calls that it makes go to the next."""

    def __init__(self, pre_dispatch: bool = False) -> None:
        self._pre_dispatch = pre_dispatch

    def __torch_dispatch__(
        self,
        func: Any,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        raise NotImplementedError(f"{type(self).__name__}.__torch_dispatch__")

    def __enter__(self) -> Any:
        # A subclass may leave out super().__init__().
        self._pre_dispatch = getattr(self, "_pre_dispatch", False)
        _C._push_dispatch_mode(self, self._pre_dispatch)
        return self

    def __exit__(self, *error: object) -> None:
        popped = _C._pop_dispatch_mode(self._pre_dispatch)
        assert popped is self, "modes must be left in the reverse order of entering"


def _get_current_dispatch_mode_stack() -> list[TorchDispatchMode]:
    """The modes of this thread, the innermost last."""
    return _C._dispatch_modes(False)


def _get_current_pre_dispatch_mode_stack() -> list[TorchDispatchMode]:
    """The pre-dispatch modes of this thread, the innermost last."""
    return _C._dispatch_modes(True)
