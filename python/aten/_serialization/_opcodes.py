"""The opcodes of pickles of the protocols 2 to 5, without those that import modules or need a second file."""

from __future__ import annotations

import pickle
import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any

from ._checks import shown

if TYPE_CHECKING:
    from ._unpickler import Unpickler


def _push(u: Unpickler, value: Any) -> None:
    u.stack.append(value)


def _constant(value: Any) -> Callable[[Unpickler], None]:
    return lambda u: u.stack.append(value)


def _made(kind: type) -> Callable[[Unpickler], None]:
    return lambda u: u.stack.append(kind())


def _read(size: int, convert: Callable[[bytes], Any]) -> Callable[[Unpickler], None]:
    """A value of a fixed size."""
    return lambda u: u.stack.append(convert(u.take(size)))


def _sized(size: int, convert: Callable[[bytes], Any]) -> Callable[[Unpickler], None]:
    """A value after its length, a number of `size` bytes."""
    return lambda u: u.stack.append(convert(u.take(u.number(size))))


def _joined(count: int) -> Callable[[Unpickler], None]:
    def operation(u: Unpickler) -> None:
        items = tuple(u.stack.pop() for _ in range(count))
        u.stack.append(items[::-1])

    return operation


def _set_items(u: Unpickler, items: list[Any]) -> None:
    target = u.top(dict, OrderedDict, Counter)
    if len(items) % 2:
        raise UnpicklingError("the pickle has a key without a value")
    for key, value in zip(items[::2], items[1::2], strict=True):
        u.keys.check(key)
        target[key] = value


def _add_items(u: Unpickler, items: list[Any]) -> None:
    for item in items:
        u.keys.check(item)
    u.top(set).update(items)


def _frozen(u: Unpickler, items: list[Any]) -> None:
    for item in items:
        u.keys.check(item)
    u.stack.append(frozenset(items))


def _append(u: Unpickler, items: list[Any]) -> None:
    u.top(list).extend(items)


def _named(u: Unpickler) -> None:
    name, module = u.stack.pop(), u.stack.pop()
    if type(name) is not str or type(module) is not str:
        raise UnpicklingError(f"expected names of a global, got {shown(module)} and {shown(name)}")
    u.find(module, name)


def _reduce(u: Unpickler) -> None:
    args, function = u.stack.pop(), u.stack.pop()
    u.stack.append(u.call(function, args))


def _new(u: Unpickler, kwargs: Any) -> None:
    args, cls = u.stack.pop(), u.stack.pop()
    u.stack.append(u.new(cls, args, kwargs))


def _protocol(u: Unpickler) -> None:
    if not 2 <= (version := u.number(1)) <= 5:
        raise UnpicklingError(f"the pickle has the protocol {version}, read are 2 to 5")


def _text(data: bytes) -> str:
    return str(data, "utf-8", "surrogatepass")


def _signed(data: bytes) -> int:
    return int.from_bytes(data, "little", signed=True)


def _unsigned(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _float(data: bytes) -> float:
    value: float = struct.unpack(">d", data)[0]
    return value


_PUSHED: dict[bytes, Callable[[Unpickler], None]] = {
    pickle.NONE: _constant(None),
    pickle.NEWTRUE: _constant(True),
    pickle.NEWFALSE: _constant(False),
    pickle.EMPTY_TUPLE: _constant(()),
    pickle.EMPTY_LIST: _made(list),
    pickle.EMPTY_DICT: _made(dict),
    pickle.EMPTY_SET: _made(set),
    pickle.BININT: _read(4, _signed),
    pickle.BININT1: _read(1, _unsigned),
    pickle.BININT2: _read(2, _unsigned),
    pickle.BINFLOAT: _read(8, _float),
    pickle.LONG1: _sized(1, _signed),
    pickle.LONG4: _sized(4, _signed),
    pickle.SHORT_BINUNICODE: _sized(1, _text),
    pickle.BINUNICODE: _sized(4, _text),
    pickle.BINUNICODE8: _sized(8, _text),
    pickle.SHORT_BINBYTES: _sized(1, bytes),
    pickle.BINBYTES: _sized(4, bytes),
    pickle.BINBYTES8: _sized(8, bytes),
    pickle.BYTEARRAY8: _sized(8, bytearray),
}
_CHANGES: dict[bytes, Callable[[Unpickler], Any]] = {
    pickle.PROTO: _protocol,
    pickle.FRAME: lambda u: u.take(8),
    pickle.MARK: lambda u: u.mark(),
    pickle.POP: lambda u: u.stack.pop() if u.stack else u.pop_mark(),
    pickle.POP_MARK: lambda u: u.pop_mark(),
    pickle.TUPLE: lambda u: _push(u, tuple(u.pop_mark())),
    pickle.TUPLE1: _joined(1),
    pickle.TUPLE2: _joined(2),
    pickle.TUPLE3: _joined(3),
    pickle.APPEND: lambda u: _append(u, [u.stack.pop()]),
    pickle.APPENDS: lambda u: _append(u, u.pop_mark()),
    pickle.SETITEM: lambda u: _set_items(u, [u.stack.pop(), u.stack.pop()][::-1]),
    pickle.SETITEMS: lambda u: _set_items(u, u.pop_mark()),
    pickle.ADDITEMS: lambda u: _add_items(u, u.pop_mark()),
    pickle.FROZENSET: lambda u: _frozen(u, u.pop_mark()),
    pickle.BINGET: lambda u: u.recall(u.number(1)),
    pickle.LONG_BINGET: lambda u: u.recall(u.number(4)),
    pickle.BINPUT: lambda u: u.remember(u.number(1)),
    pickle.LONG_BINPUT: lambda u: u.remember(u.number(4)),
    pickle.MEMOIZE: lambda u: u.memoize(),
    pickle.GLOBAL: lambda u: u.find(u.line(), u.line()),
    pickle.STACK_GLOBAL: _named,
    pickle.REDUCE: _reduce,
    pickle.NEWOBJ: lambda u: _new(u, {}),
    pickle.NEWOBJ_EX: lambda u: _new(u, u.stack.pop()),
    pickle.BUILD: lambda u: u.build(u.stack.pop()),
    pickle.BINPERSID: lambda u: _push(u, u.load_storage(u.stack.pop())),
}
OPERATIONS = {code[0]: operation for code, operation in (_PUSHED | _CHANGES).items()}
