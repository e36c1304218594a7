"""Recorded calls, made on this library: the aspects of each call that must equal PyTorch's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import aten
import pytest
import torch
from compare import assert_strides
from exact import Exact, assert_same_or_exact, tensors_of
from gauge import fixed
from opinfo import PRODUCT_TOLERANCES, PRODUCTS
from oracle import CannotConvert, assert_same, resizable, to_aten
from recorded import Recorded, ours, overload_name
from recorded_differences import known
from tensors import dtype_name
from ties import untied
from torch import Tag
from torch.utils._pytree import tree_map_only

# Operators whose results are uninitialised memory.
UNWRITTEN = re.compile(r"^(new_)?empty|^resize_|^rrelu_with_noise")
SHOWN = 8
REFUSED = re.compile(r"not implemented|[Uu]nsupported|not supported", re.I)


def random(func: Any) -> bool:
    return Tag.nondeterministic_seeded in func.tags


def compared(func: Any) -> bool:
    """Whether the values of its results depend on its arguments only."""
    return not random(func) and not UNWRITTEN.search(overload_name(func))


def tolerance(func: Any) -> dict[str, tuple[float, float]]:
    """Returns tolerances: elementwise operators are exact to a rounding; sums in another order differ by
    more.
    """
    base = overload_name(func).partition(".")[0]
    exact = Tag.pointwise in func.tags and base not in PRODUCTS
    return {} if exact else PRODUCT_TOLERANCES


class Ours:
    """The arguments of a call as this library's tensors, in memory of their own."""

    def __init__(self, call: Recorded) -> None:
        seen: dict[Any, Any] = {}
        self.args, self.kwargs = to_aten(call.arguments(), seen)
        self.tensors = list(tensors_of((self.args, self.kwargs)))


def check_values(call: Recorded) -> None:
    """Compares the results' values, dtypes, shapes and strides, written arguments, and shared memory."""
    try:
        check_as_on_cpu(call)
    except AssertionError:
        if not is_as_on_meta(call):
            raise


def check_all_values(calls: Iterable[Recorded], dtype: torch.dtype) -> None:
    """Fails with all calls that differ, except for known differences."""
    failures = []
    for call in calls:
        try:
            check_values(call)
        except CannotConvert:
            continue
        except Exception as error:
            if not known("values", call.name, str(dtype).rpartition(".")[2], error):
                failures.append(f"{call}\n    {type(error).__name__}: {error}"[:600])
    if failures:
        pytest.fail(f"{len(failures)} differ:\n" + "\n".join(failures[:SHOWN]), pytrace=False)


def check_as_on_cpu(call: Recorded) -> None:
    mine, (args, kwargs) = Ours(call), call.arguments()
    exact = Exact(call.func, args, kwargs)
    expected = call.func(*args, **kwargs)
    got = ours(call.name)(*mine.args, **mine.kwargs)
    same: dict[str, Any] = {"values": compared(call.func), "tolerance": tolerance(call.func)}
    theirs = list(tensors_of((args, kwargs)))
    check_sharing(got, expected, mine.tensors, theirs)
    got, expected = untied_results(call, got, expected, mine)
    assert_same_or_exact(got, expected, "result", lambda: exact.results, **same)
    for i, (m, t) in enumerate(zip(mine.tensors, theirs, strict=True)):
        after = f"argument {i} after the call"
        assert_same_or_exact(m, t, after, lambda i=i: exact.arguments[i : i + 1], **same)


def is_as_on_meta(call: Recorded) -> bool:
    """Whether PyTorch contradicts itself about results without elements, and ours are as on its Meta device.

    native_dropout of nothing returns its argument itself, which is no leaf then, and a mask of its type.
    """
    args, kwargs = call.arguments()
    theirs = list(tensors_of(call.func(*args, **kwargs)))
    args, kwargs = tree_map_only(torch.Tensor, lambda t: t.to("meta"), call.arguments())
    declared = outcome(lambda: list(tensors_of(call.func(*args, **kwargs))))
    if isinstance(declared, Exception) or any(t.numel() for t in theirs):
        return False
    if [t.dtype for t in theirs] == [d.dtype for d in declared]:
        return False
    mine = Ours(call)
    got = list(tensors_of(ours(call.name)(*mine.args, **mine.kwargs)))
    try:
        assert_same(got, declared, "results", values=False)
    except AssertionError:
        return False
    return True


def untied_results(call: Recorded, got: Any, expected: Any, mine: Ours) -> tuple[Any, Any]:
    arguments = [a.name for a in call.func._schema.arguments]
    dim_at = arguments.index("dim") if "dim" in arguments else None
    return untied(call.name.partition(".")[0], got, expected, mine.args, mine.kwargs, dim_at)


def check_sharing(got: Any, expected: Any, mine: list[Any], theirs: list[Any]) -> None:
    """Checks that each result is, shares memory with, or is distinct from the same arguments."""
    for i, (g, e) in enumerate(zip(tensors_of(got), tensors_of(expected), strict=False)):
        for j, (m, t) in enumerate(zip(mine, theirs, strict=True)):
            assert (g is m) == (e is t), f"result {i} {'is' if g is m else 'is not'} argument {j}"
            if e.numel() and t.numel() and not e.is_meta:
                shared = g.data_ptr() and storage(g) == storage(m)
                wanted = e.untyped_storage().data_ptr() == t.untyped_storage().data_ptr()
                assert shared == wanted, (
                    f"result {i} {'shares' if shared else 'does not share'} memory with argument {j}"
                )


def storage(t: aten.Tensor) -> int:
    return t.data_ptr() - t.storage_offset() * t.element_size()


def has_meta(func: Any) -> bool:
    return not {Tag.data_dependent_output, Tag.dynamic_output_shape} & set(func.tags)


def check_meta(call: Recorded) -> None:
    """Checks that the Meta device gives the real result's shapes, dtypes and strides."""
    real = Ours(call)
    expected = list(tensors_of(ours(call.name)(*real.args, **real.kwargs)))
    mine = Ours(call)
    known: dict[int, Any] = {}
    args, kwargs = on_meta(mine.args, known), on_meta(mine.kwargs, known)
    if any(a.name == "device" for a in call.func._schema.arguments):
        kwargs["device"] = aten.device("meta")
    elif not mine.tensors:
        return
    try:
        got = list(tensors_of(ours(call.name)(*args, **kwargs)))
    except NotImplementedError:
        if needs_values(call):
            return
        raise
    assert len(got) == len(expected), f"{len(got)} results on meta, {len(expected)} on the CPU"
    for i, (m, r) in enumerate(zip(got, expected, strict=True)):
        assert m.is_meta, f"result {i} is on {m.device}"
        assert m.dtype == r.dtype, f"result {i}: {dtype_name(m)} on meta, {dtype_name(r)} on the CPU"
        assert tuple(m.shape) == tuple(r.shape), f"result {i}: shape {m.shape} on meta, {r.shape} on the CPU"
        assert_strides(m, r.stride(), f"result {i} on meta")


def needs_values(call: Recorded) -> bool:
    """Whether PyTorch has no result on Meta for the call, either, as it depends on values."""
    args, kwargs = tree_map_only(torch.Tensor, lambda t: t.to("meta"), (call.args, call.kwargs))
    return isinstance(outcome(lambda: call.func(*args, **kwargs)), Exception)


def on_meta(value: Any, known: dict[int, Any]) -> Any:
    if isinstance(value, aten.Tensor):
        if id(value) not in known:
            known[id(value)] = aten.empty_strided(
                tuple(value.shape), value.stride(), dtype=value.dtype, device="meta"
            )
        return known[id(value)]
    if isinstance(value, dict):
        return {k: on_meta(v, known) for k, v in value.items()}
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(on_meta(v, known) for v in value)
    return value


# ---- gradients


def check_gradients(call: Recorded) -> bool:
    """Checks that gradients of all floating tensors equal PyTorch's; False where PyTorch has none."""
    args, kwargs = call.arguments()
    theirs = [t.requires_grad_() for t in tensors_of((args, kwargs)) if differentiable(t)]
    try:
        found = fixed(call.name, call.func(*args, **kwargs))
        outputs = [o for o in tensors_of(found) if o.requires_grad]
        given = [cotangent(o) for o in outputs]
        expected = torch.autograd.grad(outputs, theirs, given, allow_unused=True) if outputs else ()
    except (RuntimeError, NotImplementedError):
        return False
    if not outputs:
        return False
    mine = Ours(call)
    leaves = [t.requires_grad_() for t in mine.tensors if t.is_floating_point() or t.is_complex()]
    found = fixed(call.name, ours(call.name)(*mine.args, **mine.kwargs))
    results = [o for o in tensors_of(found) if o.requires_grad]
    assert len(results) == len(outputs), f"{len(results)} results with gradients, expected {len(outputs)}"
    got = aten.autograd.grad(results, leaves, to_aten(given), allow_unused=True)
    for i, (g, e) in enumerate(zip(got, expected, strict=True)):
        if g is None and e is not None:
            assert not e.any(), f"gradient {i} is undefined"
        elif e is not None:  # PyTorch's zeros may have no memory
            assert_same(
                g,
                torch.zeros(e.shape, dtype=e.dtype) + e,
                f"gradient {i}",
                strides=False,
                tolerance={"float64": (1e-6, 1e-6)},
            )
    return True


def differentiable(t: torch.Tensor) -> bool:
    return t.is_floating_point() or t.is_complex()


def cotangent(o: torch.Tensor) -> torch.Tensor:
    stream = torch.Generator().manual_seed(7)
    return torch.rand(o.shape, dtype=o.dtype, generator=stream)


# ---- in-place and out= forms of a functional overload


def variants(func: Any) -> Iterator[Any]:
    """Yields the in-place and out= overloads that take the same arguments."""
    base = func._schema.name.removeprefix("aten::")
    for packet_name in (f"{base}_", base):
        packet = getattr(torch.ops.aten, packet_name, None)
        for overload in packet.overloads() if packet is not None else ():
            form = getattr(packet, overload)
            if form is not func and form._schema.is_mutable and same_arguments(func, form):
                yield form


def same_arguments(func: Any, form: Any) -> bool:
    taken = [(a.name, str(a.type)) for a in func._schema.arguments if a.name not in FACTORY]
    given = [(a.name, str(a.type)) for a in form._schema.arguments if not a.is_out]
    return taken == given and any(a.alias_info and a.alias_info.is_write for a in form._schema.arguments)


FACTORY = ("dtype", "layout", "device", "pin_memory")


def check_variant(call: Recorded, form: Any) -> None:
    """Checks that both return the same tensors with the same contents, or both raise."""
    args, kwargs = call.arguments()
    outs = [a.name for a in form._schema.arguments if a.is_out]
    if not outs and partly_shared(list(tensors_of((args, kwargs)))):
        return  # elements may be overwritten before they are read
    results = list(tensors_of(call.func(*args, **kwargs)))
    if not any(r.numel() for r in results) and is_as_on_meta(call):
        return  # the dtype of out= is unclear
    if outs and len(outs) != len(results):
        raise CannotConvert("out= takes a list")
    mine, (args, kwargs) = Ours(call), call.arguments()
    if outs:
        kwargs = {k: v for k, v in kwargs.items() if k not in FACTORY}
        mine.kwargs = {k: v for k, v in mine.kwargs.items() if k not in FACTORY}
    theirs_out = {name: torch.empty_like(r) for name, r in zip(outs, results, strict=False)}
    mine_out = {name: resizable(o) for name, o in theirs_out.items()}
    exact = Exact(call.func, args, kwargs)
    expected = outcome(lambda: form(*args, **kwargs, **theirs_out))
    got = outcome(lambda: ours(overload_name(form))(*mine.args, **mine.kwargs, **mine_out))
    if isinstance(expected, Exception):
        agree = isinstance(got, Exception) or REFUSED.search(str(expected))
        assert agree, f"PyTorch raises {expected}; ours returned {got!r}"[:600]
        return
    if isinstance(got, Exception):
        raise got
    how = {"values": compared(call.func), "tolerance": tolerance(call.func)}
    pair = untied_results(call, got, expected, mine)
    assert_same_or_exact(*pair, "result", lambda: exact.results, **how)
    for g, o in zip(tensors_of(got), mine_out.values() or mine.tensors[:1], strict=False):
        assert g is o, "another tensor was returned"


def outcome(call: Callable[[], Any]) -> Any:
    """Returns the result of a call, or its exception."""
    try:
        return call()
    except Exception as error:
        return error


def partly_shared(tensors: list[torch.Tensor]) -> bool:
    """Whether the first tensor shares memory with another that isn't the same."""
    first, *others = tensors or [torch.empty(0)]
    memory = first.untyped_storage().data_ptr()
    return any(t is not first and memory and t.untyped_storage().data_ptr() == memory for t in others)
