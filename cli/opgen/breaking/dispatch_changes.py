"""Which kernels run: compares the computed tables of both versions, not what the entries list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.finding import Bump, Finding, Rule, Shown, effects
from opgen.breaking.pair import Pair, Witness
from opgen.breaking.written import field_shown, list_shown
from opgen.expand import registrations
from opgen.model import DispatchKey, Function, Kernel, Program, alias_set
from opgen.model.dispatch_table import compute

_S = "f(Tensor self) -> Tensor"

KEY_LOST = Rule(
    "OPB801",
    "dispatch-key-lost",
    "A device has no kernel any more.",
    effects(cpp="S", python="X", graph_bc="X", backend="X"),
    Bump.major,
    ex.entry(_S, "dispatch: {CPU: f_cpu, MTIA: f_mtia}"),
    ex.entry(_S, "dispatch: {CPU: f_cpu}"),
    "keep the kernel, or give the operator a composite one",
)
REROUTED = Rule(
    "OPB802",
    "dispatch-key-rerouted",
    "A device is served by a composite kernel, in place of its own.",
    effects(backend="w"),
    Bump.none,
    ex.entry(_S, "dispatch: {CPU: f_cpu, CompositeExplicitAutograd: f}"),
    ex.entry(_S, "dispatch: {CompositeExplicitAutograd: f}"),
)
IMPLICIT_LOST = Rule(
    "OPB803",
    "composite-implicit-lost",
    "The operator is no longer made of others: backends need a kernel, autograd a formula, and captured"
    " graphs hold it.",
    effects(graph_fc="X", backend="X"),
    Bump.major,
    ex.entry(_S),
    ex.entry(_S, "dispatch: {CompositeExplicitAutograd: f}"),
    "keep the CompositeImplicitAutograd kernel",
)
IMPLICIT_GAINED = Rule(
    "OPB804",
    "composite-implicit-gained",
    "The operator is made of others, and so vanishes from captured graphs.",
    effects(graph_bc="w", graph_fc="X", backend="w"),
    Bump.minor,
    ex.entry(_S, "dispatch: {CompositeExplicitAutograd: f}"),
    ex.entry(_S),
)
NARROWED = Rule(
    "OPB805",
    "composite-explicit-narrowed",
    "Backends without strides are no longer served by the composite kernel.",
    effects(backend="X"),
    Bump.major,
    ex.entry(_S, "dispatch: {CompositeExplicitAutograd: f}"),
    ex.entry(_S, "dispatch: {CompositeExplicitAutogradNonFunctional: f}"),
    "keep the CompositeExplicitAutograd kernel",
)
KERNEL_RENAMED = Rule(
    "OPB806",
    "kernel-renamed",
    "A kernel has another name: only who calls it past the dispatcher is concerned.",
    effects(cpp="w"),
    Bump.none,
    ex.entry(_S, "dispatch: {CPU: foo}"),
    ex.entry(_S, "dispatch: {CPU: foo_cpu}"),
)
RULES = (KEY_LOST, REROUTED, IMPLICIT_LOST, IMPLICIT_GAINED, NARROWED, KERNEL_RENAMED)

_IMPLICIT = DispatchKey["CompositeImplicitAutograd"]
_EXPLICIT = DispatchKey["CompositeExplicitAutograd"]
_NON_FUNCTIONAL = DispatchKey["CompositeExplicitAutogradNonFunctional"]
_COMPOSITES = (_IMPLICIT, _EXPLICIT, _NON_FUNCTIONAL, DispatchKey["CompositeImplicitAutogradNestedTensor"])
_BACKENDS = alias_set(_EXPLICIT) | alias_set(DispatchKey["CompositeImplicitAutogradNestedTensor"])
# The backends of a composite kernel that have users: the other keys have findings of their own.
_DEVICES = tuple(DispatchKey[name] for name in ("CPU", "CUDA"))

Table = Mapping[DispatchKey, DispatchKey]  # whose kernel each key runs
Kernels = Mapping[DispatchKey, Kernel]


def compare(pair: Pair) -> Iterator[Finding]:
    if not pair.both_written or _same_registrations(pair):
        return
    old = registrations.of(pair.old, pair.base).keys()
    new = registrations.of(pair.new, pair.program).keys()
    if old != new:
        yield from _composites(pair, old, new)
        yield from _tables(pair, _table(frozenset(old)), _table(frozenset(new)))
    yield from _kernels(pair)


def _same_registrations(pair: Pair) -> bool:
    if pair.old.dispatch != pair.new.dispatch:
        return False
    return _structured_kernels(pair.old, pair.base) == _structured_kernels(pair.new, pair.program)


def _structured_kernels(function: Function, program: Program) -> Kernels | None:
    """Returns the kernels of the out form of a structured group; None for other operators."""
    group = program.group_of.get(function.qualified_name)
    return group.out.dispatch if group is not None and group.structured else None


@lru_cache(maxsize=1024)
def _table(registered: frozenset[DispatchKey]) -> Table:
    return {key: slot.source for key, slot in compute(registered).items() if slot.source is not None}


def _composites(pair: Pair, old: Iterable[DispatchKey], new: Iterable[DispatchKey]) -> Iterator[Finding]:
    if _IMPLICIT in old and _IMPLICIT not in new:
        yield _composite(pair, IMPLICIT_LOST, "is no longer made of others: it has no implicit kernel")
    if _IMPLICIT in new and _IMPLICIT not in old:
        yield _composite(pair, IMPLICIT_GAINED, "is made of others now: it has an implicit kernel")
    if _EXPLICIT in old and _EXPLICIT not in new and _NON_FUNCTIONAL in new:
        message = "no longer serves backends without strides: its composite kernel is for the others only"
        yield _composite(pair, NARROWED, message)


def _composite(pair: Pair, rule: Rule, message: str) -> Finding:
    on_device = f"{calls.python(pair.old)} on an out-of-tree device"
    in_graph = f"new: {calls.graph(pair.new)} in a captured graph"
    witness = Witness(on_device, "NotImplementedError: the backend has no kernel of it")
    if rule is IMPLICIT_GAINED:
        witness = Witness(calls.graph(pair.old), "captured graphs hold what it is made of instead")
    elif rule is IMPLICIT_LOST and pair.new.kernel(_EXPLICIT) is not None:
        witness = Witness(in_graph, "older libraries and backends expect what it was made of")
    return _field(pair, rule, f"'{pair.new.name}' {message}", "composite kernel", witness, _COMPOSITES)


def _tables(pair: Pair, old: Table, new: Table) -> Iterator[Finding]:
    served = {key: source for key, source in old.items() if key in _BACKENDS}
    lost = [key for key, source in served.items() if key not in new and (source is key or key in _DEVICES)]
    rerouted = [key for key, source in served.items() if source is key and new.get(key, key) is not key]
    if _structured_kernels(pair.new, pair.program) is not None:
        # The default calls the out form; whether that has a kernel is its own finding.
        rerouted = [key for key in rerouted if new[key] is not _NON_FUNCTIONAL]
    if lost:
        yield _keys(pair, KEY_LOST, lost, "has no kernel any more", {served[key] for key in lost})
    if rerouted:
        source = new[rerouted[0]]
        yield _keys(pair, REROUTED, rerouted, f"is served by the kernel of {source} now", {*rerouted, source})


def _keys(
    pair: Pair, rule: Rule, keys: list[DispatchKey], what: str, marked: Iterable[DispatchKey]
) -> Finding:
    names = ", ".join(key.value for key in keys)
    fails = "NotImplementedError: there is no kernel" if rule is KEY_LOST else "runs the composite kernel"
    witness = Witness(f"{calls.python(pair.old)} on {keys[0]}", fails)
    return _field(pair, rule, f"{names} {what}", names, witness, marked)


def _kernels(pair: Pair) -> Iterator[Finding]:
    old, new = pair.old.dispatch or {}, pair.new.dispatch or {}
    renamed: dict[tuple[str, str], list[DispatchKey]] = {}
    for key, kernel in old.items():
        other = new.get(key)
        if (
            other is not None
            and kernel.qualified != other.qualified
            and kernel.structured == other.structured
        ):
            renamed.setdefault((kernel.qualified, other.qualified), []).append(key)
    for (was, now), keys in renamed.items():
        witness = Witness(f"{was}(...)", f"does not compile: it is called {now}")
        yield _field(
            pair, KERNEL_RENAMED, f"the kernel '{was}' is '{now}' now", f"kernel {was}", witness, keys
        )


def _field(
    pair: Pair, rule: Rule, message: str, subject: str, witness: Witness, keys: Iterable[DispatchKey]
) -> Finding:
    keys = tuple(keys)
    before = _shown(pair.old, frozenset(keys)), pair.was.kernel(keys)
    after = _shown(pair.new, frozenset(keys)), pair.now.kernel(keys)
    return pair.finding(rule, message, before, after, subject, witness)


def _shown(function: Function, keys: frozenset[DispatchKey]) -> Shown:
    if function.structured_delegate is not None and not function.dispatch:
        return field_shown("structured_delegate", str(function.structured_delegate))
    kernels = {f"{key}: {kernel.name}": key in keys for key, kernel in (function.dispatch or {}).items()}
    return list_shown("dispatch", kernels, "{}")
