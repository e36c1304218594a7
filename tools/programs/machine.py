"""A library that runs a program, and the observable state after a step."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NamedTuple

Facts = dict[str, Any]
# Whether all elements of a tensor are in its storage.
INSIDE = "is in its storage"
FAULT = "INTERNAL ASSERT FAILED"


class Program(NamedTuple):
    """Steps, each a line of Python in which `lib` is the library and `log` a list that hooks append to.

    The graph of a quiet program is observed after the last step only: reading the `grad_fn` of a view creates
    it anew.
    """

    steps: tuple[str, ...]
    quiet: bool


class Outcome(NamedTuple):
    """The outcome of a step: the class of its error, empty if it has none, and the message."""

    error: str = ""
    message: str = ""


@functools.lru_cache(4096)
def compiled(step: str) -> CodeType:
    return compile(step, "<step>", "exec")


class Machine:
    def __init__(self, library: Any) -> None:
        self.library = library
        self.names: dict[str, Any] = {"lib": library, "log": []}

    def run(self, step: str) -> Outcome:
        try:
            exec(compiled(step), self.names)
        except Exception as error:
            return Outcome(type(error).__name__, str(error))
        return Outcome()

    def tensors(self) -> Iterator[tuple[str, Any]]:
        """Yields live tensors, values that hooks recorded, and gradients, each with its name."""
        of_log = [(f"log[{i}]", v) for i, v in enumerate(self.names["log"])]
        for name, value in [*self.names.items(), *of_log]:
            if isinstance(value, self.library.Tensor):
                yield name, value
                yield from gradients(name, value)

    def others(self) -> Iterator[tuple[str, Any]]:
        """Yields names that are not tensors: scalars by value, other objects by the name of their type."""
        for name, value in self.names.items():
            if name.startswith("__") or name == "lib" or isinstance(value, self.library.Tensor):
                continue
            if name == "log":
                yield name, [v for v in value if not isinstance(v, self.library.Tensor)]
            else:
                plain = value is None or isinstance(value, (bool, int, float, complex, list, tuple))
                yield name, value if plain else type(value).__name__

    def observe(self, graph: bool) -> dict[str, Facts]:
        """Returns facts about each live tensor and name; about the graph only if `graph`."""
        tensors = dict(self.tensors())
        seen = {name: facts(t, graph) for name, t in tensors.items()}
        for name, owner in first_owners(tensors, storage_of).items():
            seen[name]["shares memory with"] = owner
        for name, owner in first_owners(tensors, id).items():
            seen[name]["is the object"] = owner
        for name, t in tensors.items():
            seen[name]["base"] = [n for n, u in tensors.items() if u is t._base]
        return seen | {name: {"value": value} for name, value in self.others()}


def gradients(name: str, t: Any) -> Iterator[tuple[str, Any]]:
    """Yields a tensor's gradient, the gradient's gradient, and so on."""
    while (grad := t.grad) is not None:
        name, t = f"{name}.grad", grad
        yield name, t


def facts(t: Any, graph: bool) -> Facts:
    found = {
        "dtype": str(t.dtype).rpartition(".")[2],
        "shape": tuple(t.shape),
        "strides": t.stride(),
        "offset": t.storage_offset(),
        "requires_grad": t.requires_grad,
        "inference": t.is_inference(),
        "is_view": t._is_view(),
        "version": ask(lambda: t._version),
        "retains_grad": t.retains_grad,
    }
    again = lambda: t.detach().as_strided(t.shape, t.stride(), t.storage_offset())  # noqa: E731
    found[INSIDE] = ask(lambda: again().dim() == t.dim())
    found["values"] = flat(t.detach().tolist()) if found[INSIDE] is True else None
    if graph:
        found["is_leaf"] = ask(lambda: t.is_leaf)
        found["grad_fn"] = ask(lambda: t.grad_fn and t.grad_fn.name())
        found["output_nr"] = ask(lambda: t.output_nr)
    return found


def ask(question: Callable[[], Any]) -> Any:
    """Returns the answer, or the class of the error, and whether the error is the library's own fault."""
    try:
        return question()
    except Exception as error:
        return type(error).__name__ + (f": {FAULT}" if FAULT in str(error) else "")


def flat(values: Any) -> list[Any]:
    return [v for item in values for v in flat(item)] if isinstance(values, list) else [values]


def storage_of(t: Any) -> int | None:
    """Returns the address of the storage; None for an empty tensor, which has none."""
    return t.data_ptr() - t.storage_offset() * t.element_size() if t.numel() else None


def first_owners(tensors: dict[str, Any], key: Callable[[Any], Any]) -> dict[str, str]:
    """Returns, for each tensor, the first one that has the same key."""
    first: dict[Any, str] = {}
    found = {}
    for name, t in tensors.items():
        if (k := key(t)) is not None:
            found[name] = first.setdefault(k, name)
    return found
