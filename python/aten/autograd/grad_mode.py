"""Context managers, also decorators, that set the current thread's grad mode."""

from __future__ import annotations

import abc

from .. import _C

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])
    M = TypeVar("M", bound="_Mode")


_GENERATOR = 0x20  # inspect.CO_GENERATOR; importing inspect would cost more than all of this package


class _Mode(abc.ABC):
    """Can be entered repeatedly, also nested; decorates functions and generators."""

    def __call__(self, function: F) -> F:
        code = getattr(function, "__code__", None)
        if code is not None and code.co_flags & _GENERATOR:
            return _wrap_generator(self._again, function)  # type: ignore[return-value]

        import functools

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self._again():
                return function(*args, **kwargs)

        return wrapped  # type: ignore[return-value]

    def _again(self) -> _Mode:
        return type(self)()

    @abc.abstractmethod
    def __enter__(self) -> None: ...

    @abc.abstractmethod
    def __exit__(self, *error: object) -> None: ...


class no_grad(_Mode):
    """Disables grad mode in its scope: `with no_grad():`, `@no_grad()` or `@no_grad`."""

    _enabled = False
    _before: list[bool]

    def __new__(cls: type[M], function: Callable[..., Any] | None = None) -> M:
        self = object.__new__(cls)
        self._before = []  # type: ignore[attr-defined]
        return self(function) if function is not None else self  # type: ignore[return-value]

    def __enter__(self) -> None:
        self._before.append(_C._set_grad_enabled(self._enabled))

    def __exit__(self, *error: object) -> None:
        _C._set_grad_enabled(self._before.pop())


class enable_grad(no_grad):
    """Enables grad mode in its scope, even inside of no_grad."""

    _enabled = True


class set_grad_enabled(_Mode):
    """Sets grad mode immediately; as a context manager, until the end of the block."""

    def __init__(self, mode: bool) -> None:
        self.mode = bool(mode)
        self._before: bool = _C._set_grad_enabled(self.mode)

    def _again(self) -> _Mode:
        return set_grad_enabled(self.mode)

    def __call__(self, function: F) -> F:
        _C._set_grad_enabled(self._before)  # as a decorator, it takes effect when the function is called
        return super().__call__(function)

    def __enter__(self) -> None:
        _C._set_grad_enabled(self.mode)

    def __exit__(self, *error: object) -> None:
        _C._set_grad_enabled(self._before)


class inference_mode(_Mode):
    """Like no_grad; also, new tensors have no autograd metadata and no version counter."""

    mode: bool
    if TYPE_CHECKING:  # typing.get_type_hints() can't resolve Any
        _tokens: list[Any]

    def __new__(cls, mode: bool | Callable[..., Any] = True) -> inference_mode:
        self = super().__new__(cls)
        self._tokens = []
        self.mode = True if callable(mode) else bool(mode)
        return self(mode) if callable(mode) else self  # type: ignore[return-value]

    def _again(self) -> _Mode:
        return inference_mode(self.mode)

    def __enter__(self) -> None:
        self._tokens.append(_C._enter_inference_mode(self.mode))

    def __exit__(self, *error: object) -> None:
        _C._exit_inference_mode(self._tokens.pop())


def _wrap_generator(mode: Callable[[], Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """A generator whose body runs in the mode, but not its caller."""
    import functools

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        generator = function(*args, **kwargs)
        send, value = generator.send, None
        try:
            while True:
                try:
                    with mode():
                        item = send(value)
                except StopIteration as stop:
                    return stop.value
                try:
                    value = yield item
                    send = generator.send
                except GeneratorExit:
                    with mode():
                        generator.close()
                    raise
                except BaseException as error:
                    send, value = generator.throw, error
        finally:
            generator.close()

    return wrapped
