"""An archive is data: what its nodes name is one of a fixed list, and what it declares is bounded."""

from __future__ import annotations

import builtins
import io
import itertools
import math
import operator
import time
import zipfile
from pathlib import Path
from typing import Any

import aten
import fuzz_archives
import pytest
from aten import export
from aten.export._targets import resolved
from handmade import FLOAT32, INT64, files, floats, node, tensor, tensor_meta, zipped

OPERATOR = """eq ne le ge lt gt neg pos and_ or_ add sub mul truediv floordiv mod pow lshift rshift getitem"""
TORCH = """sym_not sym_int sym_float sym_max sym_min sym_sum sym_ite sym_sqrt _sym_sqrt _sym_log2 _sym_sin
    _sym_cos _sym_tan _sym_asin _sym_acos _sym_atan _sym_sinh _sym_cosh _sym_tanh"""
LISTED = {
    *(f"_operator.{name}" for name in OPERATOR.split()),
    *(f"torch.{name}" for name in TORCH.split()),
    *("math.ceil", "math.floor", "math.trunc"),
}
MODULES = {"operator": operator, "_operator": operator, "math": math, "builtins": builtins, "__main__": None}
OURS = {"aten": aten, "aten.ops": aten.ops, "aten.ops.aten": aten.ops.aten, "aten._C": aten._C}
DUNDERS = "__call__ __class__ __globals__ __builtins__ __getattribute__ __dict__ __init__ __self__ __import__"


def run(*nodes: Any, result: Any = None) -> Any:
    return export.load(zipped(files(list(nodes), result)))(aten.ones(2))


def scalars(target: str, *values: Any) -> Any:
    """Returns the result of a node of these scalars."""
    kinds = {int: "as_int", float: "as_float", bool: "as_bool", str: "as_string"}
    made = node(target, *({kinds[type(v)]: v} for v in values), name="s", kind="as_sym_int")
    return run(made, result={"as_sym_int": {"as_name": "s"}})


def names() -> list[str]:
    """Returns every attribute of the modules, in PyTorch's spelling and in ours, and chains of them."""
    attributes = {p: [*dir(m), *DUNDERS.split()] for p, m in {**MODULES, **OURS}.items()}
    plain = [f"{module}.{name}" for module, found in attributes.items() for name in found]
    chains = [f"{p}.{d}" for p in plain for d in DUNDERS.split()]
    spaces = ("load_library", "aten", "__class__", "operator", "builtins")
    ours = [
        f"{space}::{name}"
        for space, name in itertools.product(spaces, [*dir(aten.ops), *DUNDERS.split(), *dir(builtins)])
    ]
    spelled = [n.replace("::", ".").join(("torch.ops.", "")) for n in ours]
    return [*plain, *chains, *ours, *(f"{o}.{d}" for o in ours for d in DUNDERS.split()), *spelled]


def test_nothing_resolves_but_what_is_listed() -> None:
    registry = set(aten._C._operator_names())
    found = {n for n in names() if resolved(n) is not None}
    assert {n for n in found if "::" not in n} <= LISTED
    assert {n for n in found if "::" in n} <= registry
    assert all(resolved(n) is not None for n in LISTED)


def test_an_overloads_attributes_are_no_overloads() -> None:
    packet = aten.ops.aten.add
    for name in {*dir(packet), *dir(packet.Tensor)} - set(packet.overloads()):
        assert resolved(f"aten::add.{name}") is None, name


@pytest.mark.parametrize(
    "target",
    [
        "_operator.attrgetter",
        "_operator.methodcaller",
        "_operator.call",
        "operator.add",
        "math.factorial",
        "math.comb",
        "builtins.eval",
        "load_library::__call__.__call__",
        "torch.ops.load_library.__call__.__call__",
        "torch.load",
        "torch.ops.aten.add.__call__",
    ],
)
def test_a_program_that_names_something_else_is_not_loaded(target: str) -> None:
    with pytest.raises(export.ProgramError, match="not in this library"):
        run(node(target, {"as_string": "new_tensor.__globals__"}))


def test_the_chain_that_reached_eval_stops_at_its_first_node(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    chain = [
        node("_operator.attrgetter", {"as_string": "new_tensor.__globals__"}, name="get"),
        node("_operator.call", tensor("get"), tensor("x"), name="scope"),
        node("_operator.getitem", tensor("scope"), {"as_string": "__builtins__"}, name="names"),
        node("_operator.getitem", tensor("names"), {"as_string": "eval"}, name="eval"),
        node("_operator.call", tensor("eval"), {"as_string": f"open({str(canary)!r}, 'w')"}, name="done"),
        node("torch.ops.aten.relu.default", tensor("x")),
    ]
    with pytest.raises(export.ProgramError, match=r"_operator\.attrgetter: node 'get'"):
        run(*chain)
    assert not canary.exists()


@pytest.mark.parametrize(
    ("target", "args", "says"),
    [
        ("_operator.pow", (9, 9**9), "64 bits"),
        ("_operator.pow", (-(2**62), 63), "64 bits"),
        ("_operator.lshift", (1, 2**62), "64 bits"),
        ("_operator.mul", (2**62, 2), "64 bits"),
        ("_operator.add", (2**63, 1), "64 bits"),
        ("_operator.mul", ("x", 2**40), "expected int, float or bool, got str"),
        ("_operator.mod", ("%1000000000d", 1), "expected int, float or bool, got str"),
        ("_operator.getitem", ("abc", 0), "expected a list and an int, got str"),
        ("_operator.floordiv", (1, 0), "ZeroDivisionError"),
        ("_operator.pow", (-8.0, 0.5), "got complex"),
        ("torch.sym_int", (float("inf"),), "OverflowError"),
        ("torch.sym_int", ("7",), "expected int, float or bool, got str"),
    ],
)
def test_arithmetic_is_bounded(target: str, args: Any, says: str) -> None:
    begun = time.process_time()
    with pytest.raises(export.ProgramError, match=says):
        scalars(target, *args)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    ("target", "args", "expected"),
    [
        ("_operator.pow", (2, 62), 2**62),
        ("_operator.pow", (-1, 2**40), 1),
        ("_operator.lshift", (1, 62), 2**62),
        ("_operator.floordiv", (-7, 2), -4),
        ("_operator.truediv", (1, 2), 0.5),
        ("math.ceil", (1.5,), 2),
        ("torch.sym_max", (3, 4), 4),
        ("torch.sym_ite", (True, 1, 2), 1),
        ("torch.sym_not", (True,), False),
        ("torch._sym_sqrt", (9,), 3.0),
    ],
)
def test_arithmetic_computes(target: str, args: Any, expected: Any) -> None:
    assert scalars(target, *args) == expected


def test_pytorchs_functions_on_scalars_are_all_there() -> None:
    serialize = pytest.importorskip("torch._export.serde.serialize", reason="PyTorch is not installed")
    written = {f"{f.__module__}.{f.__qualname__}" for f in serialize._SYM_OPS}
    assert {name for name in written if resolved(name) is None} == set()


def weight(meta: Any, content: bytes, compression: int = zipfile.ZIP_STORED) -> Any:
    """Returns the parameter `w` of an archive whose file has this content."""
    members = files([node("torch.ops.aten.relu.default", tensor("x"))], weights={"w": (meta, "weight_0")})
    members["archive/data/weights/weight_0"] = content
    return export.load(zipped(members, compression)).state_dict["w"]


def test_a_weight_lies_where_the_archive_says() -> None:
    assert weight(tensor_meta([2, 2], offset=1), floats(6)).tolist() == [[1, 2], [3, 4]]
    assert weight(tensor_meta([0]), b"").tolist() == []
    assert weight(tensor_meta([3], [0]), floats(1)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("meta", "content", "says"),
    [
        (tensor_meta([2]), b"\0" * 7, "'w' doesn't fit its bytes"),
        (tensor_meta([1], dtype=INT64), b"\0" * 7, "'w' doesn't fit its bytes"),
        (tensor_meta([2**40]), floats(2), "'w' doesn't fit its bytes"),
        (tensor_meta([2**62, 2**62], [2**62, 1]), floats(2), "'w' doesn't fit its bytes"),
        (tensor_meta([2], offset=2**63 - 1), floats(2), "'w' doesn't fit its bytes"),
        (tensor_meta([2], [-1]), floats(2), "'w' doesn't fit its bytes"),
        (tensor_meta([2], [1, 1]), floats(2), "'w' doesn't fit its bytes"),
        (tensor_meta([2], dtype=99), floats(2), "dtype 99"),
    ],
)
def test_a_weight_that_does_not_fit_is_an_error(meta: Any, content: bytes, says: str) -> None:
    with pytest.raises(export.ProgramError, match=says):
        weight(meta, content)


def test_of_a_storage_only_what_tensors_reach_is_read() -> None:
    large = weight(tensor_meta([2], offset=1), floats(1 << 16))
    assert large.tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="storage"):
        large.as_strided([4], [1], 0)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compressed_members_are_refused(method: int) -> None:
    with pytest.raises(export.ProgramError, match="compressed or encrypted"):
        weight(tensor_meta([1 << 20], dtype=FLOAT32), b"\0" * (4 << 20), method)


def test_overlapping_members_are_refused() -> None:
    """Many names in the directory refer to the same bytes."""
    members = {**files([node("torch.ops.aten.relu.default", tensor("x"))]), "archive/data/big": b"\0" * 4096}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in members.items():
            made.writestr(name, content)
        (big,) = (i for i in made.filelist if i.filename.endswith("big"))
        made.filelist.extend([big] * 8)
    with pytest.raises(export.ProgramError, match="files in the archive overlap"):
        export.load(file)


def test_an_encrypted_member_is_refused() -> None:
    content = bytearray(zipped(files([])).getvalue())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(signature)
        content[at + flags] |= 1
    with pytest.raises(export.ProgramError, match="compressed or encrypted"):
        export.load(io.BytesIO(bytes(content)))


def test_messages_hold_nothing_that_a_terminal_obeys() -> None:
    with pytest.raises(export.ProgramError) as raised:
        run(node("evil\x1b]0;title\x07", tensor("x")))
    assert "\\x1b" in str(raised.value)
    assert "\x1b" not in str(raised.value)


def test_a_missing_file_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        export.load(tmp_path / "none.pt2")
    empty = tmp_path / "empty.pt2"
    empty.touch()
    with pytest.raises(export.ProgramError, match="not an archive"):
        export.load(empty)


def test_damaged_archives_run_or_say_why_not() -> None:
    """A few damaged archives; `make fuzz` tries more."""
    assert fuzz_archives.fuzz(2000, seed=7) == []
