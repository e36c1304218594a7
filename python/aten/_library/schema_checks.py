"""check_schemas: compares what operators do to tensors with the annotations of their schemas."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from .._C import OpOverload, Tensor
from .._schema import Argument
from ..utils._python_dispatch import TorchDispatchMode
from . import declarations
from .schema_exceptions import EXCEPTIONS, SHARES, WRITES

_COMPOSITE = "CompositeImplicitAutograd"
_state = threading.local()  # whether a check itself calls operators


class SchemaError(RuntimeError):
    """An operator did to tensors what its schema doesn't say."""


class SchemaWarning(UserWarning):
    """The same, where check_schemas(warn_only=True) warns; and a view that returned a copy."""


# Users find them there, also in tracebacks.
SchemaError.__module__ = SchemaWarning.__module__ = __name__.partition(".")[0]


class check_schemas(contextlib.ContextDecorator):  # noqa: N801: it reads as a function, as no_grad does
    """While it is entered, each operator that this thread calls is checked: whether it wrote to an argument,
    resized it or replaced its memory without `(a!)`; whether a result shares memory with an argument, or with
    another result, without a common `(a)`; whether a result that is declared to be an argument, as that of
    `out=`, is that argument. The operators that a composite one calls are checked as well, and a view that
    returns a copy is warned of.

    A SchemaError names the operator, the argument and the line of its declaration; with `warn_only` it is a
    SchemaWarning, and the program goes on. Contents are compared byte by byte, which takes time and memory in
    proportion to the arguments'. Tensors without memory of their own, as those of vmap, are left out.
    """

    def __init__(self, *, warn_only: bool = False) -> None:
        self._modes = [_Mode(is_above, warn_only) for is_above in (True, False)]

    def __enter__(self) -> check_schemas:
        for mode in self._modes:
            mode.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        for mode in reversed(self._modes):
            mode.__exit__(*error)


class _Mode(TorchDispatchMode):
    """Above all keys it checks composite operators, below autograd the kernels of the others."""

    def __init__(self, is_above: bool, warn_only: bool) -> None:
        super().__init__(pre_dispatch=is_above)
        self._is_above = is_above
        self._warn_only = warn_only

    def __torch_dispatch__(
        self, func: OpOverload, types: Sequence[type], args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        is_composite = func.has_kernel_for_dispatch_key(_COMPOSITE)
        if getattr(_state, "checks", False) or (self._is_above and not is_composite):
            return func(*args, **kwargs)
        with _checking():
            before = list(_seen(func, args, kwargs))
        result = func(*args, **kwargs)
        with _checking():
            call = _Call(func, before, list(_results(func, result)))
            faults = [*call.changes(), *call.wrong_results()]
            copies = [] if is_composite else [*call.copies()]
        self._report(func, faults, copies)
        return result

    def _report(self, func: OpOverload, faults: list[_Fault], copies: list[str]) -> None:
        expected, _ = EXCEPTIONS.get(func._schema.name, (None, ""))
        found = [fault.said for fault in faults if fault.what != expected]
        for said, is_fault in ((found, True), (copies, False)):
            if not said:
                continue
            text = f"{func._schema.name}: {'; '.join(said)}. {_declared(func)}"
            if is_fault and not self._warn_only:
                raise SchemaError(text)
            warnings.warn(text, SchemaWarning, stacklevel=4)


def _declared(func: OpOverload) -> str:
    place = declarations.place_of(func)
    return f"Declared as {func._schema}" + (f" at {place}" if place else "")


@contextlib.contextmanager
def _checking() -> Iterator[None]:
    _state.checks = True
    try:
        yield
    finally:
        _state.checks = False


@dataclasses.dataclass(frozen=True)
class _Memory:
    """Where a tensor's memory is; equal for tensors that share it."""

    device: str
    address: int
    nbytes: int

    @classmethod
    def of(cls, tensor: Tensor) -> _Memory | None:
        """None for one without, as on the meta device."""
        try:
            storage = tensor.untyped_storage()
            found = cls(str(storage.device), storage.data_ptr(), storage.nbytes())
        except (RuntimeError, NotImplementedError):
            return None
        return found if found.address and found.nbytes else None


def _geometry(tensor: Tensor) -> str:
    return f"{str(tensor.dtype).rpartition('.')[2]}{[*tensor.shape]} with strides {tensor.stride()}"


def _version(tensor: Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version


class _Fault(NamedTuple):
    """`what`: SHARES or WRITES, or "returns" another tensor than it should."""

    what: str
    said: str


class _Seen:
    """A tensor argument before a call, with a copy of all its memory if it must not be written to."""

    def __init__(self, argument: Argument, label: str, tensor: Tensor) -> None:
        self.argument, self.label, self.tensor = argument, label, tensor
        self.memory = _Memory.of(tensor)
        self.geometry, self.version = _geometry(tensor), _version(tensor)
        is_kept = self.memory is not None and not argument.is_write
        self.bytes = tensor.detach()._storage_bytes().clone() if is_kept else None

    def change(self, is_written: bool) -> str | None:
        """Says what happened to it. `is_written`: by another argument, whose memory it shares."""
        geometry, memory = _geometry(self.tensor), _Memory.of(self.tensor)
        if geometry != self.geometry:
            return f"was changed from {self.geometry} to {geometry}"
        if memory != self.memory:
            old, new = (m.nbytes if m else 0 for m in (self.memory, memory))
            return "was given other memory" + (f", of {new} bytes instead of {old}" if old != new else "")
        if is_written or self.bytes is None:
            return None
        if not self.bytes.equal(self.tensor.detach()._storage_bytes()):
            return "was written to"
        if _version(self.tensor) != self.version:
            return f"was written to, with the values that it had (version {_version(self.tensor)})"
        return None


class _Call:
    """What is compared after a call."""

    def __init__(
        self, func: OpOverload, before: list[_Seen], results: list[tuple[Argument, str, Tensor]]
    ) -> None:
        self._func, self._before, self._results = func, before, results

    def changes(self) -> Iterator[_Fault]:
        """Says which arguments changed that are only read."""
        written = {seen.memory for seen in self._before if seen.argument.is_write}
        for seen in self._before:
            what = None if seen.argument.is_write else seen.change(seen.memory in written)
            if what:
                kind = seen.argument.type.replace("Tensor", "Tensor(a!)", 1)
                said = f"argument '{seen.label}' {what}, but is declared as only read; declare it as {kind}"
                yield _Fault(WRITES, said)

    def wrong_results(self) -> Iterator[_Fault]:
        """Says which results are not what they are declared to be."""
        for number, (result, label, tensor) in enumerate(self._results):
            if result.is_write:
                yield from self._identity(result, label, tensor)
            elif tensor.numel() and (memory := _Memory.of(tensor)) is not None:
                yield from self._sharing(number, memory)

    def _identity(self, result: Argument, label: str, tensor: Tensor) -> Iterator[_Fault]:
        same = [seen for seen in self._before if seen.argument.is_write and _common(seen.argument, result)]
        if same and not any(seen.tensor is tensor for seen in same):
            name = same[0].label
            yield _Fault("returns", f"{label} is declared to be argument '{name}', but is another tensor")

    def _sharing(self, number: int, memory: _Memory) -> Iterator[_Fault]:
        """Says with which arguments, and results before it, a result shares memory that it should not."""
        result, label, _ = self._results[number]
        for seen in self._before:
            if seen.memory == memory and seen.tensor.numel() and not _common(seen.argument, result):
                yield _Fault(
                    SHARES,
                    f"{label} shares memory with argument '{seen.label}', but is declared as a new tensor; "
                    "declare both as Tensor(a), or return a copy",
                )
        for other, other_label, earlier in self._results[:number]:
            if _Memory.of(earlier) == memory and earlier.numel() and not _common(other, result):
                said = f"{other_label} and {label} share memory, but are declared as different tensors"
                yield _Fault(SHARES, said)

    def copies(self) -> Iterator[str]:
        """Says which views don't show the memory of their argument."""
        for result, label, tensor in self._results:
            if result.alias_info is None or result.is_write or not tensor.numel():
                continue
            shown = [seen.memory for seen in self._before if _common(seen.argument, result) and seen.memory]
            if shown and _Memory.of(tensor) not in shown:
                yield f"{label} is declared as a view, Tensor(a), but is a copy"


def _common(one: Argument, other: Argument) -> bool:
    """Whether two arguments or results may share memory."""
    if one.alias_info is None or other.alias_info is None:
        return False
    return bool(one.alias_info.before_set & other.alias_info.before_set)


def _seen(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[_Seen]:
    arguments = func._schema.arguments
    by_name = ((a, kwargs[a.name]) for a in arguments if a.name in kwargs)
    for argument, value in (*zip(arguments, args, strict=False), *by_name):
        for label, tensor in _tensors(argument.name, value):
            yield _Seen(argument, label, tensor)


def _results(func: OpOverload, result: Any) -> Iterator[tuple[Argument, str, Tensor]]:
    returns = func._schema.returns
    values: Iterable[Any] = result if len(returns) > 1 else [result]
    for number, (returned, value) in enumerate(zip(returns, values, strict=False)):
        name = f"result '{returned.name or number}'" if len(returns) > 1 else "the result"
        yield from ((returned, label, tensor) for label, tensor in _tensors(name, value))


def _tensors(name: str, value: Any) -> Iterator[tuple[str, Tensor]]:
    """Yields the tensors of an argument or result, each with its name."""
    if isinstance(value, Tensor):
        yield name, value
    elif isinstance(value, (list, tuple)):
        yield from ((f"{name}[{i}]", v) for i, v in enumerate(value) if isinstance(v, Tensor))
