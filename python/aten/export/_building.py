"""Makes a graph of the events of a level: names the values, and finds the inputs."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .._C import Tensor
from ._cuts import cut
from ._errors import ExportError
from ._flattening import flattened, labels
from ._graph import Graph, Input, Node, Output, Ref
from ._inputs import Signature
from ._naming import meta, origin, target_name, where
from ._recorder import Event, Recorder, version
from ._states import Modules, State
from ._structure import Structure
from ._views import Makers, Views, same_view

_PREFIXES = {"parameter": "p", "buffer": "b", "constant": "c"}
_PLAIN = (type(None), bool, int, float, complex, str)


class Built(NamedTuple):
    """A graph, with what it needs to run."""

    graph: Graph
    signature: Signature
    states: list[State]


def build(recorder: Recorder, modules: Modules, level: str) -> Built:
    """The graph of a level. Where a value made inside of a node is used outside, as autograd uses what it
    saved, that node is replaced by what it called."""
    opened: set[Event] = set()
    made = Makers(recorder.events)
    while True:
        events = cut(recorder.root, level, opened)
        try:
            return _Builder(recorder, modules, made).built(events)
        except _Hidden as hidden:
            within = set(events)
            event = next((e for e in _outwards(hidden.event) if e in within), None)
            if event is None or event in opened:
                raise ExportError(
                    f"graph(): {where(hidden.event)}\n  makes a tensor that is used at the level {level!r}, "
                    "which has no value for it; use a lower level"
                ) from None
            opened.add(event)


class _Hidden(Exception):
    """A value that is used, and was made inside of a node."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


def _outwards(event: Event | None) -> Iterator[Event]:
    while event is not None:
        yield event
        event = event.parent


class _Builder:
    def __init__(self, recorder: Recorder, modules: Modules, made: Makers) -> None:
        self._root, self._made = recorder.root, made
        self._foreign = {id(t): (v, event) for t, v, event in recorder.foreign}
        self._states = list(modules.states())
        self._state_of = {id(s.tensor): s for s in reversed(self._states)}
        self._counts: dict[str, int] = {}
        self._values = Views()
        self._used: dict[str, State] = {}  # by input name

    def built(self, events: list[Event]) -> Built:
        signature, user = self._arguments()
        nodes = tuple([self._node(event) for event in events])
        results, leaves = flattened(self._root.result)
        outputs = tuple(Output("user_output", self._output(leaf)) for leaf in leaves)
        order = {id(s.tensor): i for i, s in reversed([*enumerate(self._states)])}
        used = sorted(self._used.items(), key=lambda item: order.get(id(item[1].tensor), len(order)))
        inputs = [_input(s.kind, name, s.name, s.tensor, s.persistent) for name, s in used] + user
        complete = Signature(signature.arguments, results, signature.names)
        return Built(Graph(tuple(inputs), nodes, outputs), complete, [s for _, s in used])

    def _name(self, base: str) -> str:
        """A name that is not yet used: add, add_1, ..."""
        count = self._counts.get(base, -1) + 1
        self._counts[base] = count
        return self._name(f"{base}_{count}") if count else base

    def _arguments(self) -> tuple[Signature, list[Input]]:
        args, kwargs = self._root.args, self._root.kwargs
        names = _parameters(self._root.target, len(args))
        structure, leaves = flattened((args, kwargs))
        positional, by_name = structure.children
        wanted = [
            *(n for child, name in zip(positional.children, names, strict=True) for n in labels(child, name)),
            *(
                n
                for child, key in zip(by_name.children, by_name.keys, strict=True)
                for n in labels(child, key)
            ),
        ]
        inputs = []
        for label, leaf in zip(wanted, leaves, strict=True):
            name = self._name(_identifier(label))
            if isinstance(leaf, Tensor):
                self._values.add(leaf, name)
                inputs.append(_input("user_input", name, None, leaf))
            else:
                inputs.append(Input("user_input", name, None, leaf, is_tensor=False))
        return Signature(structure, Structure(), tuple(names)), inputs

    def _node(self, event: Event) -> Node:
        if event.constant is not None:
            return self._lifted(event, event.constant)
        args = self._argument(event.args, event)
        kwargs = self._argument(event.kwargs, event)
        target = target_name(event)
        name = self._name(_identifier(_base(event, target)))
        results, metas = self._results(event.result, name)
        return Node(name, target, args, kwargs, results, origin(event), metas, event.module)

    def _lifted(self, event: Event, value: Tensor) -> Node:
        """A tensor made of Python's values is a constant, which a run copies as it may write to it."""
        constant = self._state(State("constant", self._lifted_name(), value))
        name = self._name("lift_fresh_copy")
        results, metas = self._results(event.result, name)
        target = "aten::lift_fresh_copy"
        return Node(name, target, (constant,), {}, results, origin(event), metas, event.module)

    def _lifted_name(self) -> str:
        return f"lifted_tensor_{sum(s.name.startswith('lifted_tensor_') for s in self._used.values())}"

    def _results(self, result: Any, name: str) -> tuple[Any, Any]:
        """The names of results, and what the tensors are."""
        if isinstance(result, Tensor):
            self._values.add(result, name)
            return name, meta(result)
        if isinstance(result, dict):
            result = list(result.values())
        if not isinstance(result, (tuple, list)) or not result:
            return None, None
        pairs = [self._results(r, self._name("getitem") if isinstance(r, Tensor) else "") for r in result]
        return tuple(names for names, _ in pairs), tuple(metas for _, metas in pairs)

    def _argument(self, value: Any, event: Event) -> Any:
        if isinstance(value, Tensor):
            return self._value(value, event)
        if isinstance(value, list):
            return [self._argument(v, event) for v in value]
        if isinstance(value, tuple):
            return tuple([self._argument(v, event) for v in value])
        if isinstance(value, dict):
            return {k: self._argument(v, event) for k, v in value.items()}
        return value

    def _output(self, leaf: Any) -> Any:
        if isinstance(leaf, Tensor):
            return self._value(leaf, self._root)
        if not isinstance(leaf, _PLAIN):
            raise ExportError(
                f"graph(): the result contains a {type(leaf).__name__}; expected tensors and numbers in "
                "tuples, lists and dicts: return these"
            )
        return leaf

    def _value(self, t: Tensor, event: Event) -> Ref:
        """The reference to a tensor: known by its object, else by what it is a view of."""
        name = self._values.known(t)
        if name is not None:
            return Ref(name)
        state = self._state_of.get(id(t))
        if state is not None:
            return self._state(state)
        name = self._values.find(t)
        if name is not None:
            return Ref(name)
        maker = self._made.by(t)
        if maker is not None:
            raise _Hidden(maker)
        for state in self._states:
            if same_view(state.tensor, t):
                return self._state(state)
        if self._values.shares_memory(t):
            raise ExportError(
                f"graph(): {where(event)}\n  takes a view of an earlier value that no operator made (of "
                "`.data`, or NumPy); use detach() and operators for views"
            )
        before, first = self._foreign.get(id(t), (version(t), event))
        if version(t) != before:
            raise ExportError(
                f"graph(): {where(first)}\n  writes to a tensor that is neither an argument nor the "
                "module's; pass it as argument, or register it as a buffer"
            )
        return self._state(State("constant", self._lifted_name(), t))

    def _state(self, state: State) -> Ref:
        name = self._name(_identifier(f"{_PREFIXES[state.kind]}_{state.name}"))
        self._used[name] = state
        self._values.add(state.tensor, name)
        return Ref(name)


def _input(kind: str, name: str, target: str | None, t: Tensor, persistent: bool = True) -> Input:
    m = meta(t)
    dtype = str(m.dtype).rpartition(".")[2]
    return Input(kind, name, target, dtype=dtype, sizes=m.sizes, meta=m, persistent=persistent)


def _base(event: Event, target: str) -> str:
    """add for aten::add.Tensor, getitem for aten.Tensor.__getitem__, layers_0 for a module."""
    if event.kind == "module":
        return event.module or target.rpartition(".")[2].lower()
    if event.kind == "operator":
        return target.partition("::")[2].partition(".")[0]
    name = target.rpartition(".")[2]
    return name.strip("_") if name.startswith("__") else name


def _identifier(text: str) -> str:
    name = "".join(c if c.isalnum() or c == "_" else "_" for c in text) or "value"
    return f"_{name}" if name[0].isdigit() else name


def _parameters(f: Any, count: int) -> list[str]:
    """The names of positional arguments; those of `*args` are numbered."""
    try:
        found: Iterable[inspect.Parameter] = inspect.signature(getattr(f, "forward", f)).parameters.values()
    except (TypeError, ValueError):
        found = ()
    names = [p.name for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][:count]
    rest = next((p.name for p in found if p.kind is p.VAR_POSITIONAL), "arg")
    return names + [f"{rest}_{i}" for i in range(count - len(names))]
