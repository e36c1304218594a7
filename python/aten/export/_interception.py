"""Sends calls of functions through a recorder, for as long as something is recorded.

A function in Python stays the object that it is, and gets other code: so also callers that imported it by
name or keep it in an attribute are seen, comparisons such as `activation is F.relu` stay true, and a function
that nobody records costs nothing. A compiled method has no code; it is replaced in its class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

Through = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]

_MARK = "the function that is called"


def _template(*args: Any, **kwargs: Any) -> Any:
    through: Any = "the function that is called"
    return through(*args, **kwargs)


class Intercepted:
    """A function, and the code that sends its calls to `through(original, args, kwargs)`."""

    def __init__(self, function: FunctionType, through: Through) -> None:
        self._function, self._code = function, function.__code__
        original = FunctionType(
            self._code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
        )
        original.__kwdefaults__ = function.__kwdefaults__
        original.__module__, original.__qualname__ = function.__module__, function.__qualname__

        def call(*args: Any, **kwargs: Any) -> Any:
            return through(original, args, kwargs)

        template = _template.__code__
        constants = tuple(call if c == _MARK else c for c in template.co_consts)
        self._other: CodeType = template.replace(
            co_consts=constants, co_freevars=self._code.co_freevars, co_name=self._code.co_name
        )

    def install(self) -> None:
        self._function.__code__ = self._other

    def remove(self) -> None:
        self._function.__code__ = self._code


class InterceptedMethod:
    """A method that a class has or inherits, replaced by one that calls `through(original, args, kwargs)`."""

    def __init__(self, owner: type, name: str, through: Through) -> None:
        self._owner, self._name, self._through = owner, name, through
        self._own: Any = None

    def install(self) -> None:
        original, through = getattr(self._owner, self._name), self._through

        def call(*args: Any, **kwargs: Any) -> Any:
            return through(original, args, kwargs)

        self._own = vars(self._owner).get(self._name)
        setattr(self._owner, self._name, call)

    def remove(self) -> None:
        if self._own is None:
            delattr(self._owner, self._name)
        else:
            setattr(self._owner, self._name, self._own)


@contextmanager
def installed(functions: Iterable[Intercepted | InterceptedMethod]) -> Iterator[None]:
    """A context in which calls of the functions are intercepted."""
    active: list[Intercepted | InterceptedMethod] = []
    try:
        for function in functions:
            active.append(function)
            function.install()
        yield
    finally:
        for function in active:
            function.remove()
