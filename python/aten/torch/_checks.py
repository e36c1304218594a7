"""Assertions of programs that PyTorch would trace."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable


def _assert(condition: object, message: str) -> None:
    """An assertion: AssertionError unless the condition holds."""
    if not condition:
        raise AssertionError(message)


def _checking(name: str, error: type[Exception]) -> Callable[..., None]:
    def check(cond: object, message: Callable[[], object] | None = None) -> None:
        if not cond:
            raise error(str(message()) if message else "Expected cond to be True, but got False.")

    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"{error.__name__} unless the condition holds. message: a function that returns the text."
    return check


_check = _checking("_check", RuntimeError)
_check_index = _checking("_check_index", IndexError)
_check_value = _checking("_check_value", ValueError)
_check_type = _checking("_check_type", TypeError)
_check_not_implemented = _checking("_check_not_implemented", NotImplementedError)


def _check_is_size(i: int, message: Callable[[], object] | None = None, *, max: int | None = None) -> None:
    """RuntimeError unless the number is 0 or more, and at most `max`."""
    _check(i >= 0 and (max is None or i <= max), message)
