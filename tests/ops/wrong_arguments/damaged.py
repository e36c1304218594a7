"""Calls that are valid except for one change: of an argument, or of the device of some tensors.

Random arguments rarely pass an operator's first check; here all other arguments are valid.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import aten
import borders
import numpy as np
from calls import map_operands, on_meta, short
from damaged_devices import Given, check_devices
from damaged_tensors import Other, expanded, sharing, tensors
from damaged_values import Bounds, values
from hostile import SECONDS_PER_CALL, Attempt, find
from tensors import Operand, dtype_of, operand
from valid_calls import META_ALONE, Valid, valid_calls

# Operators that write each element of a tensor whose elements share memory, as PyTorch's do.
WRITES_EACH = ("threshold_",)
SECONDS_OF_ENDLESS = 0.1  # to crash in
Path = tuple[str, int | None]  # the parameter, and the index in its list


@dataclass(frozen=True)
class Site:
    """The place of an argument, or of a tensor in a list."""

    path: Path
    type: str
    value: Any
    written: bool


@dataclass(frozen=True)
class Damage:
    """A change; `meta` names the tensors that are put on that device."""

    kind: str
    changes: dict[Path, Any]
    meta: frozenset[Path] = frozenset()
    seconds: float = SECONDS_PER_CALL
    endless: bool = False


@dataclass(frozen=True)
class Base:
    """A valid call with defaults filled in, and with the tensors that it writes."""

    name: str
    given: dict[str, Any]
    sites: tuple[Site, ...]

    @functools.cached_property
    def tensor_sites(self) -> list[Site]:
        return [s for s in self.sites if isinstance(s.value, Operand)]

    @functools.cached_property
    def all_on_meta(self) -> frozenset[Path]:
        return frozenset(s.path for s in self.tensor_sites)

    def attempt(self, damage: Damage) -> Attempt:
        builder = Builder(damage)
        args, kwargs, texts, device = [], {}, [], None
        for a in find(self.name)._schema.arguments:
            value = builder.build((a.name, None), self.given[a.name], a.is_write)
            texts.append(f"{a.name}={self.told(a.name, damage)}")
            device = value if a.name == "device" else device
            if a.kwarg_only:
                kwargs[a.name] = value
            else:
                args.append(value)

        def call() -> Any:
            result = find(self.name)(*args, **kwargs)
            check_devices(self.name, builder.tensors, result, asked=device is not None)
            return result

        return Attempt(call, f"{damage.kind}: ({', '.join(texts)})", damage.seconds, damage.endless)

    def told(self, parameter: str, damage: Damage) -> str:
        def told(path: Path, value: Any) -> str:
            changed = damage.changes.get(path, value)
            if isinstance(changed, (list, tuple)) and path[1] is None:
                return f"[{', '.join(told((path[0], i), v) for i, v in enumerate(changed))}]"
            if isinstance(changed, Other):
                return f"<{short(value)} {changed.text}>"
            text = f"{short(changed)}{' on meta' if path in damage.meta else ''}"
            return f"<{text}>" if path in damage.changes else text

        return told((parameter, None), self.given[parameter])


class Builder:
    """Builds the arguments of one call, and keeps the tensors among them."""

    def __init__(self, damage: Damage) -> None:
        self._damage = damage
        self._shared: dict[str, Any] = {}
        self.tensors: list[Given] = []

    def build(self, path: Path, value: Any, written: bool) -> Any:
        value = self._damage.changes.get(path, value)
        if isinstance(value, (list, tuple)) and path[1] is None:
            return [self.build((path[0], i), v, written) for i, v in enumerate(value)]
        on_meta_device = path in self._damage.meta
        if isinstance(value, Other):
            value = value.make(self._shared)
            if on_meta_device and isinstance(value, aten.Tensor):
                value = value.to("meta")
        elif isinstance(value, Operand):
            value = on_meta(value) if on_meta_device else value.tensor()
        else:
            value = map_operands(value, lambda o: o)
        if isinstance(value, aten.Tensor):
            self.tensors.append(Given(path[0], value, written))
        return value


def completed(valid: Valid) -> Base:
    """Returns the call with its defaults, and with tensors of the right shapes to write to."""
    arguments = find(valid.name)._schema.arguments
    given = {a.name: a.default_value for a in arguments if a.has_default_value()} | valid.given
    outs = [a.name for a in arguments if a.is_out and a.name not in given]
    if outs and any("[" in a.type for a in arguments if a.is_out):
        resized = [no_elements(d) for d in valid.dtypes]
        given[outs[0]] = [Other("", lambda _, t=t: t) for t in resized]
        Base(valid.name, given, ()).attempt(Damage("", {})).call()
        shapes = [tuple(t.shape) for t in resized]
        given[outs[0]] = [operand(np.zeros(s), d) for s, d in zip(shapes, valid.dtypes, strict=True)]
    elif outs:
        empty = {n: Other("", lambda _, d=d: no_elements(d)) for n, d in zip(outs, valid.dtypes, strict=True)}
        written = Base(valid.name, given | empty, ()).attempt(Damage("", {})).call()
        written = written if isinstance(written, (list, tuple)) else [written]
        for n, d, t in zip(outs, valid.dtypes, written, strict=True):
            given[n] = operand(np.zeros(tuple(t.shape)), d)
    sites = []
    for a in arguments:
        value = given[a.name]
        sites.append(Site((a.name, None), a.type, value, a.is_write))
        if isinstance(value, (list, tuple)) and a.type.startswith("Tensor"):
            sites += [Site((a.name, i), "Tensor?", v, a.is_write) for i, v in enumerate(value)]
    return Base(valid.name, given, tuple(sites))


def no_elements(dtype: str) -> Any:
    return aten.empty((0,), dtype=dtype_of(dtype))


def accepted(base: Base) -> bool:
    try:
        base.attempt(undamaged(base)).call()
    except (RuntimeError, NotImplementedError):
        return False
    return True


def undamaged(base: Base) -> Damage:
    return Damage("none", {}, base.all_on_meta if base.name in META_ALONE else frozenset())


# ---- damages


def damages(base: Base) -> Iterator[Damage]:
    everything = undamaged(base).meta
    yield from devices(base)
    for site in base.sites:
        for kind, value in replacements(site, base):
            yield Damage(kind, {site.path: value}, everything)
            if kind not in ("layout", "state", "element") and base.tensor_sites:
                there = base.all_on_meta | {site.path, *entries(site, value)}
                yield Damage(f"{kind} on meta", {site.path: value}, there)
        if isinstance(site.value, Operand):
            yield from expansions(base, site, everything)
    yield from at_borders(base, everything)
    for a, b in itertools.permutations(base.tensor_sites, 2):
        for first, second in sharing(a.value, b.value):
            yield Damage("sharing", {a.path: first, b.path: second}, everything)


def at_borders(base: Base, everything: frozenset[Path]) -> Iterator[Damage]:
    """Yields values on both sides of each condition of schemas/checks.yaml."""
    types = {s.path[0]: s.type for s in base.sites if s.path[1] is None}
    for check in borders.checks().get(base.name, ()):
        for made in (borders.violations, borders.just_held):
            for value in made(check, base.given, types):
                yield Damage("border", {(check.argument, None): value}, everything)


def entries(site: Site, value: Any) -> set[Path]:
    """Returns the places of a list's entries."""
    return {(site.path[0], i) for i in range(len(value))} if isinstance(value, list) else set()


def replacements(site: Site, base: Base) -> Iterator[tuple[str, Any]]:
    bounds = Bounds.of([s.value for s in base.tensor_sites])
    kind = site.type.removesuffix("?").replace("SymInt", "int")
    if isinstance(site.value, Operand):
        yield from tensors(site.value, bounds)
    elif kind == "Tensor":  # an omitted argument
        yield from (("added", s.value) for s in base.tensor_sites)
    else:
        yield from values(kind, site.value, bounds)


def devices(base: Base) -> Iterator[Damage]:
    """Yields calls with all tensors on the Meta device; one alone; all but one."""
    everything = base.all_on_meta
    yield Damage("device", {}, everything)
    if len(everything) > 1:
        for site in base.tensor_sites:
            yield Damage("device", {}, frozenset({site.path}))
            yield Damage("device", {}, everything - {site.path})


def expansions(base: Base, site: Site, everything: frozenset[Path]) -> Iterator[Damage]:
    """Yields expanded tensors. Reading so many elements may take long, but writing them must not be tried. On
    the Meta device only making a view for each element takes long.
    """
    many = any(word in base.name for word in ("split", "chunk", "unbind"))
    for other in expanded(site.value, "cpu"):
        if not everything:
            endless = not site.written or base.name in WRITES_EACH
            seconds = SECONDS_OF_ENDLESS if endless else SECONDS_PER_CALL
            yield Damage("expanded", {site.path: other}, frozenset(), seconds, endless)
    seconds = SECONDS_OF_ENDLESS if many else SECONDS_PER_CALL
    for other in expanded(site.value, "meta"):
        yield Damage("expanded on meta", {site.path: other}, base.all_on_meta, seconds, endless=many)


@functools.lru_cache(maxsize=4)
def plan(name: str, quick: bool = False) -> list[tuple[Base, Damage]]:
    """Returns all damaged calls of an overload, alternating between kinds; or those of one call that run
    quickly.
    """
    stream = random.Random(name)
    kinds: dict[str, list[tuple[Base, Damage]]] = {}
    bases = filter(accepted, map(completed, valid_calls()[name]))
    for base in itertools.islice(bases, 1 if quick else None):
        for damage in damages(base):
            if not (quick and damage.endless):
                kinds.setdefault(damage.kind, []).append((base, damage))
    for found in kinds.values():
        stream.shuffle(found)
    return [c for turn in itertools.zip_longest(*kinds.values()) for c in turn if c is not None]


def make_call(name: str, seed: int, quick: bool = False) -> Attempt:
    calls = plan(name, quick)
    if not calls:
        return Attempt(lambda: None, "an operator that accepts no call")
    base, damage = calls[seed % len(calls)]
    return base.attempt(damage)


make_quick_call = functools.partial(make_call, quick=True)
