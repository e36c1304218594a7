"""Records the calls of a function: modules, functions, operators, and what operators call.

While something runs under a recorder, it only appends events; names, nodes and levels are made afterwards.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FunctionType
from typing import Any

from .. import _C
from .._C import OpOverload, Tensor
from .._creation import as_tensor, asarray, tensor
from .._ops import ops
from ..nn import functional
from ..nn.modules.module import Module
from ..overrides import TorchFunctionMode
from ..utils._python_dispatch import TorchDispatchMode, _get_current_pre_dispatch_mode_stack
from ._errors import ExportError
from ._interception import Intercepted, InterceptedMethod, installed
from ._places import user_place

Arguments = tuple[Any, ...]
Keywords = dict[str, Any]

_frame = sys._getframe
_tensor_keys, _tls_keys = _C._tensor_keys, _C._tls_keys
_push, _pop = _C._push_dispatch_mode, _C._pop_dispatch_mode
_BELOW = _C._keys_after("PreDispatch")
_PRE_DISPATCH = _C._key_bits("PreDispatch")


class Event:
    """One call: `kind` is module, function, operator, or call for what was traced.

    `args` and `kwargs` are those given, `keys` an operator's dispatch keys, `place` the user's line as (code,
    line). `constant` is a copy of the result where it was made of Python's values. `children`, and `module`,
    the path of the module that it is in, are set afterwards.
    """

    __slots__ = (
        *("args", "children", "constant", "done", "keys", "kind", "kwargs", "module", "parent", "place"),
        *("result", "target"),
    )
    result: Any
    constant: Tensor | None
    children: list[Event]
    module: str

    def __init__(
        self, kind: str, target: Any, args: Arguments, kwargs: Keywords, parent: Event | None, place: Any
    ) -> None:
        self.kind, self.target, self.args, self.kwargs = kind, target, args, kwargs
        self.parent, self.place = parent, place
        self.result = self.constant = None
        self.done, self.keys = False, 0


class Recorder:
    """The events of one trace, in the order in which the calls began."""

    def __init__(self, target: Any, args: Arguments, kwargs: Keywords) -> None:
        self.root = self.current = Event("call", target, args, kwargs, None, None)
        self.events = [self.root]
        self.thread = threading.get_ident()
        self.seen = {id(t) for t in tensors((args, kwargs))}
        self.foreign: list[tuple[Tensor, int, Event]] = []  # not made by an event; with version and first use
        self.failed: tuple[Event, BaseException] | None = None

    def opened(self, kind: str, target: Any, args: Arguments, kwargs: Keywords) -> Event:
        """The event of a call that begins. Below a function, the user's line is that of the function."""
        parent = self.current
        place = user_place(_frame(1)) if parent.kind in ("call", "module") else parent.place
        event = self.current = Event(kind, target, args, kwargs, parent, place)
        self.events.append(event)
        return event

    def run(self, event: Event, function: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
        """Calls the function; what it calls belongs to the event."""
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            self.failing(event, error)
            raise
        finally:
            self.current = event.parent or event
        event.result, event.done = frozen(result), True
        return result

    def failing(self, event: Event, error: BaseException) -> None:
        """Keeps the innermost event that `error` left."""
        if self.failed is None or self.failed[1] is not error:
            self.failed = event, error

    def function(self, target: Any, function: Any, args: Arguments, kwargs: Keywords) -> Any:
        return self.run(self.opened("function", target, frozen(args), frozen(kwargs)), function, args, kwargs)

    def module(self, target: Any, function: Any, args: Arguments, kwargs: Keywords) -> Any:
        """A call of the module that is the first argument."""
        event = self.opened("module", args[0], frozen(args[1:]), frozen(kwargs))
        return self.run(event, function, args, kwargs)

    def creation(self, target: Any, function: Any, args: Arguments, kwargs: Keywords) -> Any:
        """A call that makes a tensor of Python's values: its content is kept, as it may be written to."""
        event = self.opened("function", target, frozen(args), frozen(kwargs))
        result = self.run(event, function, args, kwargs)
        given = args[1:] if target.__name__ == "new_tensor" else args
        if isinstance(result, Tensor) and not tensors((given, kwargs)):
            with unrecorded():
                event.constant = ops.aten.clone.default(ops.aten.detach.default(result))
            self.seen.add(id(result))
        return result


class Operators(TorchDispatchMode):
    """Records operators above autograd, and runs them while it is active itself: so it also sees the
    operators that composite operators call."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(pre_dispatch=True)
        self._recorder = recorder

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Arguments = (), kwargs: Keywords | None = None
    ) -> Any:
        recorder, kwargs = self._recorder, kwargs or {}
        parent = recorder.current
        inside = parent.kind == "operator" or parent.kind == "function"
        event = recorder.current = Event(
            "operator", func, args, kwargs, parent, parent.place if inside else user_place(_frame(1))
        )
        recorder.events.append(event)
        seen, keys = recorder.seen, 0
        for t in tensors((args, kwargs)) if kwargs else tensors(args):
            keys |= _tensor_keys(t)
            if id(t) not in seen:
                seen.add(id(t))
                recorder.foreign.append((t, version(t), event))
        included, excluded = _tls_keys()
        event.keys = keys = (keys | included) & ~excluded & _BELOW
        _push(self, True)
        try:
            result = func.redispatch(keys, *args, **kwargs)
        except BaseException as error:
            recorder.failing(event, error)
            raise
        finally:
            _pop(True)
            recorder.current = parent
        if isinstance(result, Tensor):
            seen.add(id(result))
        else:
            seen.update(map(id, tensors(result)))
        event.result, event.done = result, True
        return result


class Functions(TorchFunctionMode):
    """Records compiled functions and methods, and those in Python that ask for overrides."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def __torch_function__(
        self, func: Any, types: Any, args: Arguments = (), kwargs: Keywords | None = None
    ) -> Any:
        if isinstance(func, OpOverload):  # the other mode records it
            return func(*args, **(kwargs or {}))
        return self._recorder.function(func, func, args, kwargs or {})


_SCALARS = (int, float, bool, str, type(None))


def tensors(value: Any) -> list[Tensor]:
    """The tensors in nested tuples, lists and dicts."""
    if isinstance(value, Tensor):
        return [value]
    found: list[Tensor] = []
    _collect(value, found)
    return found


def _collect(value: Any, found: list[Tensor]) -> None:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (tuple, list)):
        return
    for v in value:
        if isinstance(v, Tensor):
            found.append(v)
        elif type(v) not in _SCALARS:
            _collect(v, found)


def frozen(value: Any) -> Any:
    """A copy of nested lists and dicts, to which the caller may write later."""
    if type(value) is list:
        return [frozen(v) for v in value]
    if type(value) is tuple:
        return tuple([frozen(v) for v in value])
    if type(value) is dict:
        return {k: frozen(v) for k, v in value.items()}
    return value


def version(t: Tensor) -> int:
    return -1 if t.is_inference() else t._version


@contextmanager
def unrecorded() -> Iterator[None]:
    """A context in which operators aren't recorded."""
    included, excluded = _C._tls_keys()
    _C._set_tls_keys(included, excluded | _PRE_DISPATCH)
    try:
        yield
    finally:
        _C._set_tls_keys(included, excluded)


_lock = threading.Lock()
_active: Recorder | None = None
_intercepted: list[Intercepted | InterceptedMethod] = []


def _through(record: Callable[..., Any], target: Any) -> Any:
    """Records calls of `target` by the method `record`; those of other threads are not recorded."""

    def through(original: Any, args: Arguments, kwargs: Keywords) -> Any:
        recorder = _active
        if recorder is None or recorder.thread != threading.get_ident():
            return original(*args, **kwargs)
        return record(recorder, target, original, args, kwargs)

    return through


def _interceptions() -> list[Intercepted | InterceptedMethod]:
    """Module's call, the functions of nn.functional in Python, and those that make tensors; made once."""
    if not _intercepted:
        private = f"{functional.__package__}._"
        found = {f for f in vars(functional).values() if isinstance(f, FunctionType)}
        recorded: list[tuple[Any, Any]] = [
            (f, Recorder.function) for f in found if f.__module__.startswith(private)
        ]
        recorded += [(f, Recorder.creation) for f in (tensor, as_tensor, asarray, Tensor.new_tensor)]
        _intercepted.extend(Intercepted(f, _through(record, f)) for f, record in recorded)
        call = _through(Recorder.module, Module.__call__)
        _intercepted.append(InterceptedMethod(Module, "__call__", call))
    return _intercepted


def record(f: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Recorder:
    """Calls f(*args, **kwargs) and returns its events. If it raises an error, that is in `failed`."""
    global _active
    if _get_current_pre_dispatch_mode_stack():
        raise ExportError(
            "trace(): a pre-dispatch mode is active; leave it before, or enter it in the function"
        )
    if not _lock.acquire(blocking=False):
        raise ExportError("trace(): another trace is running; only one can at a time")
    try:
        recorder = _active = Recorder(f, frozen(args), frozen(kwargs))
        with installed(_interceptions()), Operators(recorder), Functions(recorder), suppress(Exception):
            recorder.run(recorder.root, f, args, kwargs)
        return recorder
    finally:
        _active = None
        _lock.release()
