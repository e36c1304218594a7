"""Computes the dispatch table of a set of registrations: for each runtime key, whose kernel runs and why.

PyTorch's rules, in order: a kernel of the key itself; CompositeExplicitAutogradNonFunctional;
CompositeExplicitAutograd; CompositeImplicitAutogradNestedTensor; CompositeImplicitAutograd, at autograd keys
only where no backend behind the key has a kernel of its own; Autograd; FuncTorchBatchedDecomposition; the
backend's fallback. The order of registrations does not matter.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from opgen.model.dispatch import BACKENDS, RUNTIME_KEYS, DispatchKey, alias_set, is_alias


class Why(enum.Enum):
    """The rule that chose a kernel, in the dispatcher's own words."""

    kernel = "kernel"
    default_backend = "default backend kernel"
    nested = "nested kernel"
    math = "math kernel"
    ambiguous = "ambiguous autogradother"
    autograd = "autograd kernel"
    batched = "batched kernel"
    fallback = "backend fallback"


@dataclass(frozen=True, slots=True)
class Slot:
    """`source` is the registered key whose kernel runs; None for a fallback or an ambiguous slot."""

    source: DispatchKey | None
    why: Why


_NON_FUNCTIONAL = DispatchKey["CompositeExplicitAutogradNonFunctional"]
_EXPLICIT = DispatchKey["CompositeExplicitAutograd"]
_NESTED = DispatchKey["CompositeImplicitAutogradNestedTensor"]
_IMPLICIT = DispatchKey["CompositeImplicitAutograd"]
_AUTOGRAD = DispatchKey["Autograd"]
_BATCHED = DispatchKey["FuncTorchBatchedDecomposition"]
_UNDEFINED = DispatchKey["Undefined"]
_PRECEDENCE = (_NON_FUNCTIONAL, _EXPLICIT, _NESTED, _IMPLICIT, _AUTOGRAD, _BATCHED)
_AUTOGRAD_OTHER = DispatchKey["AutogradOther"]

# PyTorch excludes these three when it looks for the backend of an autograd key.
_NOT_TIED = frozenset({"AutogradHIP", "AutogradVE", "AutogradMTIA"})

# The fallbacks of PyTorch, for keys that no registration of the operator fills.
FALLTHROUGHS = frozenset(
    "BackendSelect ADInplaceOrView AutocastCPU AutocastMTIA AutocastMAIA AutocastXPU AutocastMPS AutocastCUDA"
    " FuncTorchVmapMode VmapMode".split()
)
FALLBACK_KERNELS = frozenset(
    "Meta Python FuncTorchDynamicLayerBackMode Functionalize Conjugate Negative ZeroTensor"
    " AutogradOther AutogradCPU"
    " AutogradCUDA AutogradXLA AutogradMPS AutogradXPU AutogradHPU AutogradLazy AutogradMTIA AutogradMAIA"
    " AutogradPrivateUse1 AutogradMeta Tracer FuncTorchBatched BatchedNestedTensor Batched"
    " FuncTorchGradWrapper"
    " PythonTLSSnapshot FuncTorchDynamicLayerFrontMode PreDispatch PythonDispatcher".split()
)


@cache
def backends_behind(autograd_key: DispatchKey) -> frozenset[DispatchKey]:
    """Returns the backend keys that an autograd key is for; empty for other keys."""
    name = autograd_key.value
    if autograd_key is _AUTOGRAD_OTHER:
        own = {f"Autograd{b}" for b in BACKENDS}
        return frozenset(
            k
            for k in alias_set(_EXPLICIT)
            if f"Autograd{k}" not in own and not k.value.startswith("NestedTensor") and k is not _UNDEFINED
        )
    if name == "AutogradNestedTensor":
        return frozenset(DispatchKey[f"NestedTensor{b}"] for b in BACKENDS)
    if name.startswith("Autograd") and name not in _NOT_TIED and name[len("Autograd") :] in BACKENDS:
        return frozenset({DispatchKey[name[len("Autograd") :]]})
    return frozenset()


def choose(key: DispatchKey, registered: Collection[DispatchKey]) -> Slot | None:
    """Returns the slot of `key`; None when nothing runs, not even a fallback."""
    if key in registered and key is not _UNDEFINED:
        return Slot(key, Why.kernel)
    for alias, why in (
        (_NON_FUNCTIONAL, Why.default_backend),
        (_EXPLICIT, Why.default_backend),
        (_NESTED, Why.nested),
    ):
        if alias in registered and key in alias_set(alias):
            return Slot(alias, why)
    if _IMPLICIT in registered and key in alias_set(_IMPLICIT):
        behind = backends_behind(key)
        covered = not behind.isdisjoint(registered)
        if key is _AUTOGRAD_OTHER and covered:
            return Slot(None, Why.ambiguous)
        if not covered and _EXPLICIT not in registered:
            return Slot(_IMPLICIT, Why.math)
    if _AUTOGRAD in registered and key in alias_set(_AUTOGRAD):
        return Slot(_AUTOGRAD, Why.autograd)
    if _BATCHED in registered and key in alias_set(_BATCHED):
        return Slot(_BATCHED, Why.batched)
    if key.value in FALLTHROUGHS or key.value in FALLBACK_KERNELS:
        return Slot(None, Why.fallback)
    return None


def compute(registered: Collection[DispatchKey]) -> Mapping[DispatchKey, Slot]:
    """Returns the table of an operator with kernels for `registered`; keys that run nothing are left out."""
    slots = ((key, choose(key, registered)) for key in RUNTIME_KEYS)
    return {key: slot for key, slot in slots if slot is not None}


def reach(key: DispatchKey) -> frozenset[DispatchKey]:
    """Returns the runtime keys that a registration to `key` can fill."""
    return alias_set(key) if is_alias(key) else frozenset({key})


@dataclass(frozen=True, slots=True)
class Hidden:
    """A registered key whose kernel runs for fewer keys than it could, because `by` take precedence."""

    key: DispatchKey
    by: tuple[DispatchKey, ...]
    runs_at: tuple[DispatchKey, ...]


def hidden(registered: Collection[DispatchKey]) -> list[Hidden]:
    """Returns registered keys that never run, and alias keys that lose keys to another alias key.

    A backend's own kernel always precedes an alias key, so this is not counted.
    """
    slots = compute(registered)
    found = []
    for key in registered:
        sources = {k: slots[k].source if k in slots else None for k in RUNTIME_KEYS if k in reach(key)}
        runs_at = tuple(k for k, source in sources.items() if source is key)
        before = _PRECEDENCE[: _PRECEDENCE.index(key)] if is_alias(key) else ()
        by = tuple(k for k in before if k in sources.values())
        if by or not runs_at:
            found.append(Hidden(key, by, runs_at))
    return found
