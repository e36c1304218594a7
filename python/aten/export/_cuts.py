"""Levels: which events of a trace become nodes. A level is a cut: none of them is inside another."""

from __future__ import annotations

from collections.abc import Iterator, Set

from .. import _C
from .._C import Tensor
from ..nn.modules.container import Sequential
from ..nn.modules.module import Module
from ._errors import ExportError
from ._recorder import Event, tensors

LEVELS = ("module", "function", "operator", "backend")

_KERNELS = _C._keys_after("BackendSelect")
_AUTOCAST = sum(
    _C._key_bits(name) for name in _C._key_names(_C._keys_after("PreDispatch")) if name.startswith("Autocast")
)
_OURS = Module.__module__.partition(".")[0] + ".nn."


def cut(root: Event, level: str, opened: Set[Event]) -> list[Event]:
    """The events of a level, in the order of their calls; instead of those in `opened`, what they called.
    ExportError for a level that doesn't exist."""
    if level == "core":
        raise ExportError(
            "graph(): the level 'core' needs decompositions, which this library doesn't have yet; "
            "'backend' is the lowest level"
        )
    if level not in LEVELS:
        raise ExportError(f"graph(): expected level to be one of {list(LEVELS)}, got {level!r}")
    return list(_cut(root, level, opened))


def _cut(event: Event, level: str, opened: Set[Event]) -> Iterator[Event]:
    for child in event.children:
        if child.constant is not None:
            yield child
        elif child.kind == "operator":
            yield from _operators(child, level, opened)
        elif child.done and _stops(child, level) and child not in opened:
            if child.children or tensors(child.result):  # otherwise it only asked for a size, or the like
                yield child
        else:
            yield from _cut(child, level, opened)


def _stops(event: Event, level: str) -> bool:
    """Whether a module or function is a node. Modules are if they are layers of this library."""
    if event.kind == "function":
        return level in ("module", "function")
    layer = event.target
    return (
        level == "module" and type(layer).__module__.startswith(_OURS) and not isinstance(layer, Sequential)
    )


def _operators(event: Event, level: str, opened: Set[Event]) -> list[Event]:
    """The nodes of an operator. One that failed, and whose error was caught, has none."""
    if not event.done:
        return []
    if level == "backend":
        return [e for e in kernels(event) if e.result is None or tensors(e.result) or written_to(e)]
    if event in opened or _is_autocast(event):  # a graph runs without autocast: it calls what that called
        return [e for child in _within(event) for e in _operators(child, level, opened)]
    return [event]


def _within(event: Event) -> Iterator[Event]:
    """The outermost operators inside."""
    for child in event.children:
        if child.kind == "operator":
            yield child
        else:
            yield from _within(child)


def _is_autocast(event: Event) -> bool:
    """Whether autocast changed the types of the call, or of one inside."""
    if not event.keys & _AUTOCAST:
        return False
    within = list(_within(event))
    return any(child.target is event.target or _is_autocast(child) for child in within)


def kernels(event: Event) -> list[Event]:
    """The calls of kernels of a backend into which an operator divides: itself if it has one.

    A composite operator divides if what it calls accounts for its results: what its own C++ code reads, makes
    or writes is seen in no other call.
    """
    if has_kernel(event):
        return [event]
    inner = [e for child in _within(event) if child.done for e in kernels(child)]
    return inner if _accounted(event, inner) else [event]


def has_kernel(event: Event) -> bool:
    """Whether a kernel was registered for the backend of the call, not one of composite operators."""
    keys = event.keys
    for t in tensors(event.result):
        keys |= _C._tensor_keys(t)
    return any(event.target.has_kernel_for_dispatch_key(name) for name in _C._key_names(keys & _KERNELS))


def _accounted(event: Event, inner: list[Event]) -> bool:
    results, written = tensors(event.result), written_to(event)
    if not inner and not results:
        return False
    known = {id(t) for t in tensors((event.args, event.kwargs))}
    blank: set[int] = set()  # allocated, and not written to by a call
    changed: set[int] = set()
    for e in inner:
        outputs = {id(t) for t in written_to(e)}
        given = {id(t) for t in tensors((e.args, e.kwargs))}
        if not given <= known or (given - outputs) & blank:
            return False
        changed |= outputs
        blank -= outputs
        made = [t for t in tensors(e.result) if id(t) not in known]
        known.update(map(id, made))
        if _allocates(e):
            blank.update(id(t) for t in made if t.numel())
    return all(id(t) in known and id(t) not in blank for t in results) and all(
        id(t) in changed for t in written
    )


def _allocates(event: Event) -> bool:
    name: str = event.target.name()
    return name.partition("::")[2].startswith(("empty", "new_empty", "resize_"))


def written_to(event: Event) -> list[Tensor]:
    """The arguments to which an operator writes."""
    arguments = event.target._schema.arguments
    found = []
    for i, argument in enumerate(arguments):
        if argument.is_write:
            given = event.args[i] if i < len(event.args) else event.kwargs.get(argument.name)
            found += tensors([given])
    return found
