"""trace: one record of what a function calls, from modules to kernels, and graphs of it at each level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ._building import Built, build
from ._cuts import has_kernel
from ._errors import ExportError
from ._graph import Graph
from ._naming import origin, short, target_name, where
from ._places import place_of
from ._program import ExportedProgram
from ._recorder import Event, Recorder, record, tensors, unrecorded
from ._states import Modules, link

_INDENT = "  "


def trace(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Trace:
    """Calls f(*args, **kwargs), a module or a function, and records all that it calls.

    The call computes and has the effects that it has without a trace; all intermediate results are kept as
    long as the Trace. Only the calling thread is recorded. ExportError, from the error that was raised, if
    the call fails.
    """
    recorder = record(f, args, kwargs)
    made = Trace(recorder)
    if not recorder.root.done and recorder.failed is not None:
        event, error = recorder.failed
        event.place = place_of(error) or event.place
        text = f"trace(): {where(event)}\n  {type(error).__name__}: {error}"
        raise ExportError(text) from error
    return made


class Trace:
    """The calls of one run as a tree: modules, functions, operators, and what operators call.

    `str()` gives the tree. `result` is what the function returned. A graph of a trace records values: it does
    not tell where gradients were disabled, and branches that depended on values are those of this run.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._modules = Modules(recorder.root.target)
        link(recorder.events, self._modules)
        self._built: dict[str, Built] = {}

    @property
    def result(self) -> Any:
        return self._recorder.root.result

    def show(self, *, kernels: bool = False) -> None:
        """Prints the tree: what was called, its result and the user's line; with `kernels`, also the
        operators that kernels of a backend call."""
        print("\n".join(self._lines(self._recorder.root, 0, kernels)))

    def __str__(self) -> str:
        return "\n".join(self._lines(self._recorder.root, 0, False))

    def __repr__(self) -> str:
        events = self._recorder.events[1:]
        counts = [
            f"{sum(e.kind == kind for e in events)} {kind}s" for kind in ("module", "function", "operator")
        ]
        return f"Trace({', '.join(counts)})"

    def graph(self, level: str = "operator") -> Graph:
        """The data flow between the calls of a level.

        "module": layers of aten.nn; functions and operators outside of them. "function": the outermost
        functions of nn.functional, the top level and Tensor. "operator": the operators that they call.
        "backend": the operators with a kernel for the backend, into which composite ones divide. Tensors that
        are neither arguments nor made inside are inputs: parameters and buffers by name, else constants.
        """
        return self._of(level).graph

    def program(self, level: str = "operator") -> ExportedProgram:
        """The graph of the level "operator" or "backend" as a program, which shares the modules' tensors."""
        if level not in ("operator", "backend"):
            raise ExportError(f"program(): expected level to be 'operator' or 'backend', got {level!r}")
        built = self._of(level)
        of_kind = {
            kind: {s.name: s.tensor for s in built.states if s.kind == kind}
            for kind in ("parameter", "buffer", "constant")
        }
        return ExportedProgram(built.graph, built.signature, *of_kind.values())

    def _of(self, level: str) -> Built:
        if level not in self._built:
            with unrecorded():
                self._built[level] = build(self._recorder, self._modules, level)
        return self._built[level]

    def _lines(self, event: Event, depth: int, kernels: bool) -> Iterator[str]:
        for child in event.children:
            if child.kind == "function" and not child.children and not tensors(child.result):
                continue
            yield _line(child, depth)
            if kernels or child.kind != "operator" or not has_kernel(child):
                yield from self._lines(child, depth + 1, kernels)


def _line(event: Event, depth: int) -> str:
    name = target_name(event)
    if event.kind == "module" and event.module:
        name = f"{event.module}: {name}"
    result = "failed" if not event.done else "" if event.result is None else short(event.result)
    is_new = event.parent is None or event.parent.place != event.place
    place = f"  # {origin(event)}" if is_new and event.place is not None else ""
    return f"{event.kind:9}{_INDENT * depth}{name}{f' -> {result}' if result else ''}{place}"
