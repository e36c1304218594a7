"""The overload of a packet that a call selects is PyTorch's choice, for all operators that both have and over
a set of argument tuples. Calls that only PyTorch accepts are listed with the reason.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import aten
import pytest
from aten.library import Library
from aten.utils._python_dispatch import TorchDispatchMode
from parts import parts

Case = tuple[str, ...]
REFUSED = "TypeError"
PARTS = 8


class Picked(Exception):
    """Carries the overload that a call selected."""


class Catch(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise Picked(func)


def values(library: Any) -> dict[str, Any]:
    t = library.ones(2, 3)
    return {
        "tensor": t, "zero_dim": library.tensor(1.0), "int": 2, "float": 1.5, "bool": True, "complex": 1j,
        "none": None, "ints": [1, 2], "tensors": [t, t], "dtype": library.float32, "str": "floor",
        "empty": [], "floats": [1.5],
    }  # fmt: skip


def cases() -> Iterator[tuple[Case, Case]]:
    """Yields positional arguments, and names of out= ones."""
    names = list(values(aten))
    for count in (1, 2):
        for case in itertools.product(names, repeat=count):
            yield case, ()
            yield case, ("tensor",)
    for case in itertools.product(("tensor", "zero_dim", "float"), ("tensor", "int", "float"), names):
        yield case, ()


def ours(packet: Any, args: list[Any], kwargs: dict[str, Any]) -> str:
    try:
        with Catch(pre_dispatch=True):
            packet(*args, **kwargs)
    except Picked as picked:
        return str(picked.args[0]).rpartition(".")[2]
    except TypeError:
        return REFUSED
    except RuntimeError as error:
        if "device type" not in str(error):
            raise
        return REFUSED  # a text that names no device
    return "none was called"


def shared_packets(torch: Any, part: int) -> Iterator[tuple[str, Any]]:
    """Yields a part of those with several overloads besides that with out=, among which there is a choice."""
    theirs = set(dir(torch.ops.aten)) | {n.partition("::")[2] for n in torch._C._dispatch_get_all_op_names()}
    for name in dir(aten.ops.aten):
        packet = getattr(aten.ops.aten, name)
        chosen = [o for o in getattr(packet, "overloads", list)() if not o.endswith("out")]
        is_mine = zlib.crc32(name.encode()) % PARTS == part
        if is_mine and name in theirs and not name.startswith("__") and len(chosen) > 1:
            yield name, packet


# The arguments that a schema's types allow. PyTorch's packets accept more: None for a tensor, a dtype for a
# scalar, anything for a bool, a bool or a float tensor for an int, a tensor for a list of its rows.
NUMBERS = {"int", "float", "bool"}
TAKES = {
    "Tensor": {"tensor", "zero_dim"}, "int": {"int"}, "SymInt": {"int"}, "float": NUMBERS, "bool": {"bool"},
    "number": NUMBERS | {"complex"}, "Scalar": NUMBERS | {"complex"}, "ScalarType": {"dtype"}, "str": {"str"},
    "int[]": {"ints", "empty"}, "SymInt[]": {"ints", "empty"}, "Tensor[]": {"tensors", "empty"},
    "Tensor?[]": {"tensors", "empty"}, "float[]": {"ints", "floats", "empty"},
}  # fmt: skip


def by_the_schema(overload: Any, case: Case) -> bool:
    """Whether the arguments are what the overload's schema allows."""
    for argument, value in zip(overload._schema.arguments, case, strict=False):
        optional = argument.type.endswith("?")
        taken = TAKES.get(re.sub(r"\[\d+\]", "[]", argument.type.removesuffix("?")), set())
        one_for_all = argument.N is not None and value == "int"
        if value not in taken and not (optional and value == "none") and not one_for_all:
            return False
    return True


def one_for_all_sizes(overload: Any, case: Case) -> bool:
    """Whether an integer is given for a list of sizes: PyTorch accepts it for int[N], not for SymInt[N]."""
    arguments = zip(overload._schema.arguments, case, strict=False)
    return any(a.type.startswith("SymInt[") and a.N is not None and value == "int" for a, value in arguments)


def allowed(name: str, case: Case, theirs: str, mine: str) -> bool:
    """Whether a difference is intended."""
    if mine == REFUSED:
        return not by_the_schema(getattr(getattr(aten.ops.aten, name), theirs), case)
    if name == "to":
        return True  # PyTorch has TorchScript's own overloads, and accepts a scalar for `other`
    if theirs == REFUSED:
        return one_for_all_sizes(getattr(getattr(aten.ops.aten, name), mine), case)
    # A zero-dim tensor selects the overload that takes tensors; PyTorch tries the other one first.
    by_order = {"bernoulli", "normal", "randint_like", "linalg_matrix_rank", "linalg_pinv", "tensor_split"}
    if name in by_order and "zero_dim" in case:
        return True
    # Without a step, and without tolerances, both overloads are the same.
    if (name == "range" and len(case) == 2) or (name == "linalg_pinv" and len(case) == 1):
        return True
    # PyTorch accepts an int for `unbiased` and `keepdim`, and None.
    overloads = {"default", "dim", "out", "dim_out", "correction_out"}
    return (
        name in ("std", "var", "std_mean", "var_mean", "nuclear_norm")
        and case[1:]
        and {theirs, mine} <= overloads
    )


@pytest.mark.parametrize("part", parts(PARTS))
def test_pytorchs_choice(part: int) -> None:
    torch = pytest.importorskip("torch")
    mine, theirs = values(aten), values(torch)
    compared, different = Counter(), {}
    for name, packet in shared_packets(torch, part):
        overloads = {*packet.overloads(), REFUSED}
        writes = any(overload.endswith("out") for overload in overloads)
        for case, out in cases():
            if out and not writes:
                continue  # refused by both
            kwargs = {"out": "tensor"} if out else {}
            try:
                wanted = torch._C._jit_resolve_packet(
                    f"aten::{name}", *(theirs[c] for c in case), **{k: theirs[v] for k, v in kwargs.items()}
                )
            except (RuntimeError, TypeError):
                wanted = REFUSED
            wanted = wanted or "default"
            if wanted not in overloads:
                continue  # TorchScript's overload, or not one of ours
            got = ours(packet, [mine[c] for c in case], {k: mine[v] for k, v in kwargs.items()})
            compared[got == wanted] += 1
            if got != wanted and not allowed(name, case, wanted, got):
                different[f"{name}{case}{out}"] = (wanted, got)
    assert different == {}
    # What is allowed is little of what is compared.
    assert compared[True] > 10 * compared[False] and compared[True] > 30_000 / PARTS


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
def test_a_number_is_a_tensor_in_arithmetic(name: str) -> None:
    packet = getattr(aten.ops.aten, name)
    t = aten.tensor([6.0, 8.0])
    assert ours(packet, [t, 2], {}) == "Tensor"
    assert aten.equal(packet(t, 2), getattr(aten, name)(t, 2))
    assert aten.equal(packet(2, t), getattr(aten, name)(aten.tensor(2.0), t))
    assert aten.equal(packet.Tensor(t, 2), packet(t, 2))
    # A scalar does not promote, as in PyTorch.
    assert packet(aten.ones(2, dtype=aten.float16), 2).dtype is aten.float16


def test_elsewhere_it_is_a_number() -> None:
    t = aten.ones(2)
    assert ours(aten.ops.aten.eq, [t, 2], {}) == "Scalar"
    assert ours(aten.ops.aten.all, [t], {}) == "default"
    with pytest.raises(TypeError, match="no overload"):
        aten.ops.aten.maximum(t, 2)


def test_operators_of_ones_own_take_what_they_say() -> None:
    library = Library("packets", "DEF")
    for schema in ("add.Tensor(Tensor a, Tensor b) -> str", "add.Scalar(Tensor a, Scalar b) -> str"):
        library.define(schema)
        overload = schema.partition("(")[0]
        library.impl(overload, lambda a, b, o=overload: o, "CompositeImplicitAutograd")
    t = aten.ones(2)
    assert aten.ops.packets.add(t, t) == "add.Tensor" and aten.ops.packets.add(t, 2) == "add.Scalar"
    library._destroy()


def test_a_foreign_tensor_is_named() -> None:
    np = pytest.importorskip("numpy")
    foreign = np.ones(2, dtype=np.float32)
    for call in (aten.ops.aten.add, aten.ops.aten.add.Tensor, aten.ops.aten.exp):
        arguments = (foreign,) if call is aten.ops.aten.exp else (aten.ones(2), foreign)
        with pytest.raises(TypeError, match=r"of another library; aten\.from_dlpack\(\)[^\n]*DLPack"):
            call(*arguments)
