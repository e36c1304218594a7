"""A checkpoint is data: nothing runs but what makes tensors, containers and classes that a user allows."""

from __future__ import annotations

import os
import pickle
import struct
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest
from aten._serialization._globals import find
from aten._serialization._rebuild import parameter_class
from checkpoint_files import START, archive, call, loaded, named, number, numbers, storage, tensor, text

ran: list[str] = []
FLOATS = struct.pack("<4f", 1, 2, 3, 4)


def runs(*_: Any, **__: Any) -> None:
    ran.append("code")


class Evil:
    """Pickles a call of a function; its methods show that they were called."""

    def __reduce__(self) -> Any:
        return runs, ("x",)

    def __init__(self) -> None:
        runs()

    def __setstate__(self, state: Any) -> None:
        runs()

    def __new__(cls) -> Any:
        runs()
        return super().__new__(cls)


HERE = __name__
SHELL = text("echo ran > canary")
FUNCTIONS = """
    os system|posix system|nt system|os popen|sys exit|subprocess Popen|subprocess call|commands getoutput
    builtins eval|builtins exec|__builtin__ eval|__builtin__ execfile|builtins compile|builtins open
    builtins getattr|builtins setattr|builtins __import__|__builtin__ apply|builtins globals|builtins map
    importlib import_module|operator attrgetter|operator methodcaller|functools partial|functools reduce
    pickle loads|_pickle loads|marshal loads|types FunctionType|types CodeType|code interact|pty spawn
    runpy _run_code|ctypes CDLL|socket socket|shutil rmtree|copyreg _reconstructor|copyreg __newobj__
    copy_reg _reconstructor|torch load|torch.serialization load|torch.storage _load_from_bytes
    torch._utils _import_dotted_name|torch._utils _rebuild_wrapper_subclass|torch.hub load|torch.jit load
    torch FloatTensor|torch Tensor|torch.nn.modules.linear Linear|torch.utils._config_module load|numpy load
    numpy.core.multiarray _reconstruct|aten load|aten.library Library|aten._C _set_bytes
    aten.serialization add_safe_globals|aten._tensor _rebuild|collections.OrderedDict fromkeys
    collections OrderedDict.fromkeys|collections namedtuple|collections defaultdict|builtins set.__class__
    builtins set.pop|torch._utils _rebuild_tensor_v2.__globals__|torch Tensor.__class__
    torch._tensor _rebuild_from_type_v2.__code__|collections OrderedDict.__init__.__globals__
    builtins object|builtins type|builtins super|builtins dict|builtins list|builtins tuple|builtins int
    __main__ x""".split("\n")
NAMES = [name.strip() for line in FUNCTIONS for name in line.split("|") if name.strip()]

ORDERED = call("collections OrderedDict")
ATTACKS = {
    **{f"reduce {name}": named(name) + SHELL + b"\x85R" for name in [*NAMES, f"{HERE} runs", f"{HERE} Evil"]},
    **{f"new {name}": named(name) + SHELL + b"\x85\x81" for name in [*NAMES, f"{HERE} Evil"]},
    "stack global": text("os") + text("system") + b"\x93" + SHELL + b"\x85R",
    "stack global of a class": text(HERE) + text("Evil") + b"\x93)\x81",
    "stack global of no names": b"K\1K\2\x93)R",
    "stack global of a list": b"]]\x93)R",
    "inst": b"(" + SHELL + b"ios\nsystem\n",
    "obj": b"(" + named("os system") + SHELL + b"o",
    "obj of an allowed class": b"(" + named("collections OrderedDict") + b"o",
    "newobj_ex": named(f"{HERE} Evil") + b")}\x92",
    "newobj_ex of an allowed class": named("collections OrderedDict") + b")}" + text("a") + b"K\1s\x92",
    "newobj of a dtype": named("torch float32") + b")\x81",
    "newobj of a number": b"K\1)\x81",
    "extension 1": b"\x82\1)R",
    "extension 2": b"\x83\1\0)R",
    "extension 4": b"\x84\1\0\0\0)R",
    "out-of-band buffer": b"\x97",
    "read-only buffer": b"]\x98",
    "text persistent id": b"Pstorage\n",
    **{
        f"persistent id {i}": identifier + b"Q"
        for i, identifier in enumerate(
            [b"N", b")", b"]", b"K\1", text("storage"), text("storage") + b"\x85", numbers(1, 2, 3, 4, 5)]
        )
    },
    "persistent id of a module": b"(" + text("module") + b"K\1K\1K\1K\1tQ",
    "persistent id of no class": b"(" + text("storage") + b"K\1" + text("0") + text("cpu") + b"K\4tQ",
    "persistent id of a dtype": storage("torch float32"),
    "persistent id with a list as key": b"(" + text("storage") + named("torch FloatStorage") + b"]]K\4tQ",
    "call of a dtype": named("torch float32") + b")R",
    "call of a string": text("eval") + SHELL + b"\x85R",
    "call of a result": ORDERED + b")R",
    "call of a storage's class": named("torch FloatStorage") + b"K\4\x85R",
    "call with a list": named("collections OrderedDict") + b"]R",
    "call with a dict": named("collections OrderedDict") + b"}R",
    "build on a class": named("collections OrderedDict") + b"}" + text("fromkeys") + b"K\1sb",
    "build on a function": named("torch._utils _rebuild_tensor_v2") + b"}" + text("__code__") + b"K\1sb",
    "build on a tensor": tensor() + b"}" + text("grad") + b"K\1sb",
    "build on a dtype": named("torch float32") + b"}" + text("x") + b"K\1sb",
    "build on a dict": b"}}" + text("x") + b"K\1sb",
    "build of a class's attribute": ORDERED + b"}" + text("__class__") + named("collections Counter") + b"sb",
    "build with slots": ORDERED + b"N}" + text("keys") + b"K\1s\x86b",
    "build with numbers as names": ORDERED + b"}K\1K\1sb",
    "build with a list": ORDERED + b"]b",
    "type that is no tensor": call(
        "torch._tensor _rebuild_from_type_v2",
        *(named("torch._utils _rebuild_tensor_v2"), named("collections OrderedDict"), b")}"),
    ),
    "type with another function": call(
        "torch._tensor _rebuild_from_type_v2",
        *(named("collections OrderedDict"), named("torch Tensor"), b")}"),
    ),
    "state that hides a method": call(
        "torch._tensor _rebuild_from_type_v2",
        named("torch._utils _rebuild_tensor_v2"),
        named("torch Tensor"),
        b"(" + storage() + b"K\0K\4\x85K\1\x85\x89Nt",
        b"}" + text("data") + b"K\1s",
    ),
    "append to a set": call("builtins set") + b"K\1a",
    "append to a result": ORDERED + b"K\1a",
    "set an item of a list": b"]K\0K\1s",
    "set an item of a tensor": tensor() + b"K\0K\1s",
    "add to a list": b"](K\1\x90",
    "key without a value": b"}(K\1u",
    "unhashable key": b"}]K\1s",
    "memo that isn't there": b"h\5",
    "empty stack": b"",
    "tuple of nothing": b"\x86",
    "no mark": b"t",
    "bytes of other encodings": call("_codecs encode", text("a"), text("rot13")),
    "size of texts": call("torch Size", b"(" + text("a") + b"t"),
    "protocol 0": b"I1\n",
    "protocol 1": b"U\1a",
    "unknown opcode": b"\xff",
}


@pytest.fixture(autouse=True)
def canary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Whatever a test loads runs no function of this module and writes no file."""
    loaded(archive(START + b"N.", FLOATS))  # imports what loading needs
    parameter_class()  # likewise, for the names of parameters
    monkeypatch.chdir(tmp_path)
    monkeypatch.delattr(sys.modules["__main__"], "x", raising=False)
    ran.clear()
    yield
    assert ran == [] and os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ATTACKS)
def test_a_pickle_that_asks_for_more_is_refused(name: str) -> None:
    before = dict(sys.modules)
    with pytest.raises(pickle.UnpicklingError, match=r"^load\(\), data\.pkl: "):
        loaded(archive(START + ATTACKS[name] + b".", FLOATS))
    assert sys.modules == before, "nothing is imported"


@pytest.mark.parametrize("protocol", range(6))
def test_python_pickles_of_objects_that_run_code_are_refused(protocol: int) -> None:
    pickled = pickle.dumps({"weights": object.__new__(Evil)}, protocol)
    with pytest.raises(pickle.UnpicklingError):
        loaded(archive(pickled))


def test_only_what_is_listed_has_a_meaning() -> None:
    """Every attribute of every loaded module is looked up."""
    found = set()
    for module, content in list(sys.modules.items()):
        for name in dir(content):
            try:
                found.add((f"{module}.{name}", find(module, name).call))
            except pickle.UnpicklingError:
                continue
    called = {getattr(f, "__module__", None) for _, f in found}
    assert called <= {None, "aten._serialization._globals", "aten._serialization._rebuild"}
    allowed = {"_codecs.encode", "builtins.set", "builtins.bytes", "builtins.bytearray", "builtins.complex"}
    allowed |= {"collections.OrderedDict", "collections.Counter", "torch.serialization._get_layout"}
    outside = {path for path, _ in found if not path.startswith("torch.")}
    assert {p.replace("__builtin__", "builtins") for p in outside} <= allowed


def test_an_allowed_pickle_is_loaded() -> None:
    """The attacks differ from this one in what they are refused for."""
    assert loaded(archive(START + tensor() + b".", FLOATS)).tolist() == [1, 2, 3, 4]
    view = tensor(size=numbers(2, 2), stride=numbers(1, 2), requires_grad=b"\x88")
    assert loaded(archive(START + view + b".", FLOATS)).tolist() == [[1, 3], [2, 4]]


def sized(size: tuple[int, ...], stride: tuple[int, ...], offset: bytes = b"K\0") -> bytes:
    return tensor(size=numbers(*size), stride=numbers(*stride), offset=offset)


@pytest.mark.parametrize(
    "pickled, says",
    [
        (sized((5,), (1,)), r"needs 5 elements, but its storage has 4"),
        (sized((2, 2), (1, 3)), "needs 5 elements"),
        (sized((4,), (1,), offset=b"K\1"), "needs 5 elements"),
        (sized((2,), (2**62,)), "needs 4611686018427387905 elements"),
        (sized((-1,), (1,)), r"size: expected a tuple of integers of at least 0, got \(-1\)"),
        (sized((4,), (-1,)), "stride: expected a tuple of integers of at least 0"),
        (sized((2**63,), (0,)), "size: expected"),
        (sized((2**62, 2), (0, 0)), "too many elements"),
        (sized((4,), (1, 1)), "1 sizes and 2 strides"),
        (sized((1,) * 65, (1,) * 65), "65 sizes"),
        (sized((4,), (1,), offset=number(-1)), "offset: expected"),
        (sized((4,), (1,), offset=number(2**64)), "needs"),
        (sized((4,), (1,), offset=number(2**3000)), r"an int of 3001 bits"),
        (tensor(offset=b"\x88"), "offset: expected an integer"),
        (tensor(size=b"]K\4a"), "size: expected a tuple"),
        (tensor(size=b"\x88\x85"), "size: expected a tuple of integers"),
        (tensor(requires_grad=b"K\1"), "requires_grad: expected a bool"),
        (tensor(rest=b"N}" + text("zero") + b"\x88s"), "metadata: expected"),
        (tensor(b"K\1"), "storage: expected a storage, got 1"),
        (tensor(tensor()), "storage: expected a storage, got a Tensor"),
        (tensor(storage(numel=5)), "said to have 20 bytes, but data/0 has 16"),
        (tensor(storage(numel=2**40)), "said to have 4398046511104 bytes, but"),
        (tensor(storage(numel=2**62)), "expected a number of elements"),
        (tensor(storage(numel=-1)), "expected a number of elements, got -1"),
        (storage(numel=4) + storage("torch DoubleStorage", numel=1), "said to have 16 bytes, and then 8"),
        (call("torch._utils _rebuild_parameter", b"K\1", b"\x88", b"N"), "data: expected a tensor, got 1"),
        (
            call("torch._utils _rebuild_tensor_v3", storage(), b"K\0K\4\x85K\1\x85\x89NK\7"),
            "dtype: expected a dtype",
        ),
        (call("builtins bytearray", number(2**40)), "expected the bytes"),
        (call("builtins complex", text("1"), text("2")), "expected two floats"),
        (call("builtins set", number(3)), "expected a list"),
        (call("collections Counter", b"]"), "expected a dict"),
        (call("collections OrderedDict", b"]K\1a"), "expected a list of an OrderedDict's pairs"),
        (call("torch device", b"K\1"), "expected a device's type"),
        (call("torch.serialization _get_layout", text("torch.sparse_coo")), r"torch\.strided"),
    ],
)
def test_invalid_tensors_and_values_are_errors(pickled: bytes, says: str) -> None:
    with pytest.raises(pickle.UnpicklingError, match=says):
        loaded(archive(START + pickled + b".", FLOATS))


@pytest.mark.parametrize("key", ["../0", "/etc/passwd", "1", "", "0\0", "0/../0"])
def test_a_key_is_only_a_record_of_the_archive(key: str) -> None:
    with pytest.raises(RuntimeError, match="the archive lacks data/"):
        loaded(archive(START + storage(key=key) + b".", FLOATS))


def test_weights_only_false_says_why_not() -> None:
    with pytest.raises(ValueError, match=r"never runs code from a file.*add_safe_globals"):
        loaded(archive(START + b"K\1."), weights_only=False)
    assert loaded(archive(START + b"K\1."), weights_only=None) == 1


def test_attributes_of_ordered_dicts_are_loaded() -> None:
    state = ORDERED + b"}" + text("_metadata") + ORDERED + b"sb"
    found = loaded(archive(START + state + b"."))
    assert type(found) is OrderedDict and found._metadata == OrderedDict()


PRIME = sys.hash_info.modulus  # numbers that differ by a multiple of it have one hash
ONES = range(1, 2000)
COLLIDING = {
    "dict": b"}(" + b"".join(number(i * PRIME) + b"N" for i in ONES) + b"u",
    "dict of tuples": b"}(" + b"".join(number(i * PRIME) + b"\x85N" for i in ONES) + b"u",
    "dict one by one": b"}" + b"".join(number(i * PRIME) + b"Ns" for i in ONES),
    "dicts": b"".join(b"}" + number(i * PRIME) + b"Ns" for i in ONES),
    "set": b"\x8f(" + b"".join(number(i * PRIME) for i in ONES) + b"\x90",
    "set of a list": call("builtins set", b"](" + b"".join(number(i * PRIME) for i in ONES) + b"e"),
    "frozenset": b"(" + b"".join(number(-i * PRIME) for i in ONES) + b"\x91",
    "OrderedDict": call(
        "collections OrderedDict", b"](" + b"".join(number(i * PRIME) + b"N\x86" for i in ONES) + b"e"
    ),
}


@pytest.mark.parametrize("name", COLLIDING)
def test_keys_with_one_hash_are_refused(name: str) -> None:
    """A dict of them takes time that grows with the square of their number."""
    with pytest.raises(pickle.UnpicklingError, match=r"more than 64 keys .* have one hash"):
        loaded(archive(b"\x80\4" + COLLIDING[name] + b"."))


def test_keys_of_programs_are_loaded() -> None:
    keys: list[Any] = [*range(-500, 500), *(0.5 * i for i in range(1000)), *map(str, range(1000))]
    keys += (
        [(i, str(i)) for i in range(1000)] + [PRIME * i for i in range(60)] + [2**70 + i for i in range(1000)]
    )
    given = {key: i for i, key in enumerate(keys)}
    copies = [{(1, "a"): i, PRIME: i} for i in range(200)]  # the same keys in many dicts
    assert loaded(archive(pickle.dumps([given, set(keys), copies], 4))) == [given, set(keys), copies]


@pytest.mark.parametrize("flag", ["conj", "neg"])
def test_a_conjugated_tensor_takes_no_more_than_its_storage(flag: str) -> None:
    metadata = b"N}" + text(flag) + b"\x88s"
    made = tensor(
        storage("torch ComplexFloatStorage", numel=2),
        size=numbers(2**40, 2),
        stride=numbers(0, 1),
        rest=metadata,
    )
    found = loaded(archive(START + made + b".", FLOATS))
    assert found.shape == (2**40, 2) and found.stride() == (0, 1)
    assert found.untyped_storage().nbytes() == 16
    assert found[5].tolist() == ([1 - 2j, 3 - 4j] if flag == "conj" else [-1 - 2j, -3 - 4j])
