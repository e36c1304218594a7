"""An interpreter of pickles that calls only what an allow-list names."""

from __future__ import annotations

import pickle
import pickletools
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pickle import UnpicklingError
from typing import Any, NamedTuple

from ._checks import Keys, shown
from ._opcodes import OPERATIONS

_MARKS = 10_000  # more nested marks than a pickler's recursion can write
_COPIES = 4  # the bytes and elements that calls may copy, for each byte of the pickle
_COPIES_OF_SMALL = 1 << 16  # those that they may copy besides
_NAMES = {ord(op.code): op.name for op in pickletools.opcodes}


class Global(NamedTuple):
    """What a name in a pickle stands for, what is called if the pickle calls it (None: an error), and what of
    the arguments becomes keys."""

    value: Any
    call: Callable[..., Any] | None
    keys: Callable[..., Iterable[Any]] | None = None


class Unpickler:
    """Makes the object of a pickle. `find` returns what a global name stands for, `load_storage` the
    object of a persistent id; `users` are the classes whose state may be set."""

    def __init__(
        self,
        data: bytes,
        find: Callable[[str, str], Global],
        load_storage: Callable[[Any], Any],
        users: list[Any],
    ) -> None:
        self._data, self._at = data, 0
        self._find = find
        self.load_storage: Callable[[Any], Any] = load_storage
        self._users = {id(v): v for v in users}
        self._calls: dict[int, Global] = {}  # the named globals by their value's id, which they keep alive
        self.stack: list[Any] = []
        self._below: list[list[Any]] = []  # the stacks below each mark
        self._memo: dict[int, Any] = {}
        self._copied = 0
        self.keys = Keys()

    def load(self) -> Any:
        """UnpicklingError for anything that isn't a pickle of allowed objects."""
        code, start = 0, 0
        try:
            while True:
                start = self._at
                code = self.take(1)[0]
                if code == pickle.STOP[0]:
                    return self.stack.pop()
                operation = OPERATIONS.get(code)
                if operation is None:
                    raise UnpicklingError("the opcode isn't supported")
                operation(self)
        except (UnpicklingError, LookupError, TypeError, ValueError, OverflowError, AttributeError) as error:
            name = _NAMES.get(code, f"{code:#04x}")
            raise UnpicklingError(f"{error} (at the byte {start}, opcode {name})") from error

    def take(self, count: int) -> bytes:
        """The next bytes of the pickle."""
        end = self._at + count
        if count < 0 or end > len(self._data):
            left = len(self._data) - self._at
            raise UnpicklingError(
                f"the pickle ends early: {shown(count)} bytes were expected, {left} are left"
            )
        found = self._data[self._at : end]
        self._at = end
        return found

    def number(self, size: int, signed: bool = False) -> int:
        return int.from_bytes(self.take(size), "little", signed=signed)

    def line(self) -> str:
        end = self._data.find(b"\n", self._at)
        if end < 0:
            raise UnpicklingError("the pickle ends early: a line without an end")
        return str(self.take(end + 1 - self._at), "utf-8")[:-1]

    def mark(self) -> None:
        if len(self._below) >= _MARKS:
            raise UnpicklingError(f"the pickle nests more than {_MARKS} marks")
        self._below.append(self.stack)
        self.stack = []

    def pop_mark(self) -> list[Any]:
        if not self._below:
            raise UnpicklingError("the pickle has no mark to return to")
        items, self.stack = self.stack, self._below.pop()
        return items

    def top(self, *kinds: type) -> Any:
        """The object on the stack, of one of the types or of a class of the user's that inherits from one."""
        found = self.stack[-1]
        if type(found) in kinds or (id(type(found)) in self._users and isinstance(found, kinds)):
            return found
        names = ", ".join(k.__name__ for k in kinds)
        raise UnpicklingError(f"expected one of {names} to add to, got {shown(found)}")

    def remember(self, index: int) -> None:
        self._memo[index] = self.stack[-1]

    def memoize(self) -> None:
        self.remember(len(self._memo))

    def recall(self, index: int) -> None:
        if index not in self._memo:
            raise UnpicklingError(f"the memo has no entry {index}")
        self.stack.append(self._memo[index])

    def find(self, module: str, name: str) -> None:
        found = self._find(module, name)
        if found.call is not None:
            self._calls[id(found.value)] = found
        self.stack.append(found.value)

    def call(self, function: Any, args: Any) -> Any:
        """Calls an allowed global. Together calls copy only a multiple of the pickle's size."""
        known = self._calls.get(id(function))
        if known is None or known.call is None:
            raise UnpicklingError(f"the pickle calls {shown(function)}, which is not an allowed function")
        if type(args) is not tuple:
            raise UnpicklingError(f"expected a tuple of arguments, got {shown(args)}")
        self.spend(*args)
        for key in known.keys(*args) if known.keys is not None else ():
            self.keys.check(key)
        return known.call(*args)

    def spend(self, *copied: Any) -> None:
        self._copied += sum(len(a) for a in copied if isinstance(a, (str, bytes, list, tuple, dict, set)))
        if self._copied > _COPIES * len(self._data) + _COPIES_OF_SMALL:
            raise UnpicklingError("the pickle copies more data than it has")

    def new(self, cls: Any, args: Any, kwargs: Any) -> Any:
        """An instance of an allowed class, made without calling __init__ for a class of the user's."""
        if type(args) is not tuple or type(kwargs) is not dict:
            raise UnpicklingError(
                f"expected a tuple and a dict of arguments, got {shown(args)}, {shown(kwargs)}"
            )
        if id(cls) in self._calls and id(cls) in self._users and isinstance(cls, type):
            self.spend(*args)
            return cls.__new__(cls, *args, **kwargs)
        if kwargs:
            raise UnpicklingError(f"{shown(cls)} takes no keyword arguments")
        return self.call(cls, args)

    def build(self, state: Any) -> None:
        """Sets the state of an instance: of an OrderedDict its attributes, which a state_dict has."""
        made = self.stack[-1]
        if id(type(made)) in self._users:
            set_state = getattr(type(made), "__setstate__", None)
            if set_state is not None:
                set_state(made, state)
                return
        elif type(made) is not OrderedDict:
            raise UnpicklingError(f"the pickle sets the state of {shown(made)}, whose class isn't allowed")
        attributes, slots = state if type(state) is tuple and len(state) == 2 else (state, None)
        if slots is not None and id(type(made)) not in self._users:
            raise UnpicklingError(f"expected a dict as the state of {shown(made)}, got {shown(state)}")
        for part in (attributes, slots):
            if part is not None and (type(part) is not dict or not all(map(_is_attribute, part))):
                raise UnpicklingError(f"expected a dict with names as keys as a state, got {shown(part)}")
        self.spend(attributes, slots)
        if attributes:
            vars(made).update(attributes)
        for name, value in (slots or {}).items():
            setattr(made, name, value)


def _is_attribute(name: object) -> bool:
    """Whether this may be an attribute of an instance: not one with which Python changes what it is."""
    return type(name) is str and not (name.startswith("__") and name.endswith("__"))
