"""What PyTorch saves is loaded, and PyTorch loads what is saved."""

from __future__ import annotations

import io
import math
from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

import aten
import pytest
from checkpoint_files import through
from pytorch_checkpoints import both_ways, described, from_pytorch, to_pytorch

torch = pytest.importorskip("torch")

DTYPES = """
    bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex32
    complex64 complex128""".split()


@pytest.mark.parametrize("name", DTYPES)
def test_tensors_of_each_dtype(name: str) -> None:
    real = [[0, 1, 1], [7, 100, 0]]
    dtype = getattr(torch, name)
    both_ways(torch.tensor(real).to(dtype))
    if dtype.is_complex:
        both_ways((torch.tensor(real) * (1 - 2j)).to(dtype))
    both_ways(torch.zeros((), dtype=dtype))
    both_ways(torch.zeros((0, 3), dtype=dtype))


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.t(),
        lambda x: x[1:, ::2],
        lambda x: x[2, 3],
        lambda x: x[:, None].expand(3, 5, 4),
        lambda x: x.as_strided((2, 2, 2), (1, 1, 1), 3),
        lambda x: x[3:],
        lambda x: x.reshape(1, 3, 2, 2).to(memory_format=torch.channels_last),
    ],
)
def test_views(view: Any) -> None:
    both_ways(view(torch.arange(12.0).reshape(3, 4)))


def test_values_that_are_not_numbers() -> None:
    x = torch.tensor([math.inf, -math.inf, math.nan, -0.0, 5e-324], dtype=torch.float64)
    bits = x.view(torch.int64).tolist()
    here = from_pytorch(x)
    assert here.view(aten.int64).tolist() == bits and to_pytorch(here).view(torch.int64).tolist() == bits


@pytest.mark.parametrize(
    "save, load", [(torch.save, aten.load), (aten.save, torch.load), (aten.save, aten.load)]
)
def test_tensors_that_shared_memory_share_it_again(save: Any, load: Any) -> None:
    library = torch if save is torch.save else aten
    x = library.arange(6.0)
    file = io.BytesIO()
    save({"x": x, "view": x[2:4], "again": x, "copy": x.clone()}, file)
    assert file.getvalue().count(bytes(x.untyped_storage().tolist())) == 2
    file.seek(0)
    found = load(file)
    assert found["again"] is found["x"]
    found["view"].fill_(9)
    assert found["x"].tolist() == [0, 1, 9, 9, 4, 5] and found["copy"].tolist() == [0, 1, 2, 3, 4, 5]


def test_memory_that_two_dtypes_share_is_refused() -> None:
    """As in PyTorch, whose format gives a storage one dtype."""
    for library in (torch, aten):
        x = library.zeros(4)
        with pytest.raises(RuntimeError, match="view the same data as different types"):
            library.save([x, x.view(library.int32)], io.BytesIO())


def test_requires_grad_is_kept_and_graphs_are_not() -> None:
    leaf = torch.ones(2, requires_grad=True)
    here = from_pytorch([leaf, (leaf * 2)])
    assert [x.requires_grad for x in here] == [True, True] and [x.is_leaf for x in here] == [True, True]
    leaf = aten.ones(2, requires_grad=True)
    there = to_pytorch([leaf, leaf * 2])
    assert [x.requires_grad for x in there] == [True, True] and [x.tolist() for x in there] == [
        [1, 1],
        [2, 2],
    ]


def test_conjugated_and_negated_tensors() -> None:
    x = torch.tensor([1 + 2j, -3j])
    for lazy in (x.conj(), x.conj().imag, torch._neg_view(x)):
        here = from_pytorch(lazy)
        assert here.tolist() == lazy.tolist() and here.shape == lazy.shape
    assert from_pytorch(x.conj().requires_grad_()).requires_grad


def test_parameters() -> None:
    """Without a class of parameters in this library they are leaves."""
    plain = torch.nn.Parameter(torch.arange(4.0).reshape(2, 2).t())
    fixed = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    marked = torch.nn.Parameter(torch.ones(2))
    marked.mark = {"kind": "bias"}
    for parameter in (plain, fixed, marked):
        here = from_pytorch(parameter)
        assert described(here) == described(parameter)
        assert type(here) is getattr(aten.nn, "Parameter", aten.Tensor)
    assert from_pytorch(marked).mark == {"kind": "bias"}


class Parameter(aten.Tensor):
    """Stands for the class of parameters."""

    def __new__(cls, data: Any, requires_grad: bool = True) -> Any:
        return data.detach().as_subclass(cls).requires_grad_(requires_grad)


def test_parameters_of_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aten.nn, "Parameter", Parameter, raising=False)
    here = Parameter(aten.arange(4.0))
    marked = Parameter(aten.ones(2), requires_grad=False)
    marked.mark = 3
    there = to_pytorch({"plain": here, "marked": marked})
    assert all(type(p) is torch.nn.Parameter for p in there.values())
    assert there["plain"].requires_grad and not there["marked"].requires_grad and there["marked"].mark == 3
    back = from_pytorch(there)
    assert all(type(p) is Parameter for p in back.values()) and back["marked"].mark == 3
    assert back["plain"].tolist() == [0, 1, 2, 3] and back["plain"].requires_grad


def test_attributes_of_tensors() -> None:
    x = torch.ones(2)
    x.mark, x.other = "here", torch.zeros(1)
    here = from_pytorch(x)
    assert here.mark == "here" and here.other.tolist() == [0]
    there = to_pytorch(here)
    assert type(there) is torch.Tensor and there.mark == "here" and there.other.tolist() == [0]


def test_containers_and_values() -> None:
    shared = [1, 2]
    both_ways(
        {
            "list": [1, -1, 255, 256, 65536, 2**31, -(2**31), 2**70, -(2**500), True, None, 0.1, math.inf],
            "tuple": (), "one": (1,), "two": (1, 2), "three": (1, 2, 3), "four": (1, (2, [3]), {}, 4),
            "text": ["", "a", "ä€😀", "\ud800", "x" * 300], "bytes": b"ab\xff\0", 3: {0.5: 1}, (1, "a"): None,
            "set": {1, "a", (2, 3)}, "complex": 1 - 2j, "bytearray": bytearray(b"\0\x80"),
            "ordered": OrderedDict([("b", 1), ("a", 2)]), "counter": Counter("abca"),
            "size": torch.Size([2, 3]), "layout": torch.strided,
            "dtypes": [getattr(torch, name) for name in DTYPES],
            "devices": [torch.device("cpu"), torch.device("cuda:1"), torch.device("cuda")],
            "meta": torch.empty((2, 3), device="meta", dtype=torch.float16).t(),
            "shared": [shared, shared],
        }
    )  # fmt: skip


def test_objects_that_contain_themselves() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    here = from_pytorch(loop)
    assert here[1] is here
    there = to_pytorch(here)
    assert there[1] is there


def test_memory_formats_are_written_as_pytorchs() -> None:
    """PyTorch reads them only with weights_only=False, and can't write them."""
    formats = [aten.channels_last, aten.contiguous_format]
    assert to_pytorch(formats, weights_only=False) == [torch.channels_last, torch.contiguous_format]
    assert through(aten.save, aten.load, formats) == formats


def test_storages() -> None:
    x = torch.arange(3.0)
    here = from_pytorch({"x": x, "whole": x.double().untyped_storage()})
    assert here["whole"].tolist() == x.double().untyped_storage().tolist()
    there = to_pytorch(here["whole"])
    assert bytes(there.untyped().tolist()) == bytes(x.double().untyped_storage().tolist())


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_protocols(protocol: int) -> None:
    """PyTorch's restricted reader knows only protocol 2."""
    value = {
        "x": torch.arange(3.0),
        "s": {1},
        "b": b"a" * 300,
        "ba": bytearray(b"c"),
        "big": 2**80,
        "d": "ä" * 300,
    }
    file = io.BytesIO()
    torch.save(value, file, pickle_protocol=protocol)
    file.seek(0)
    here = aten.load(file)
    assert described(here) == described(value)
    file = io.BytesIO()
    aten.save(here, file, pickle_protocol=protocol)
    file.seek(0)
    assert described(aten.load(file)) == described(value)
    file.seek(0)
    assert described(torch.load(file, weights_only=protocol == 2)) == described(value)


def test_an_archive_without_checksums() -> None:
    torch.serialization.set_crc32_options(False)
    try:
        assert from_pytorch(torch.arange(3)).tolist() == [0, 1, 2]
    finally:
        torch.serialization.set_crc32_options(True)


def test_pytorch_maps_an_archive_of_ours(tmp_path: Path) -> None:
    """Also when it computes the places of the storages instead of reading them."""
    from torch.utils.serialization import config

    state = {
        "a": aten.arange(5.0),
        "none": aten.zeros(0),
        "b": aten.arange(77).to(aten.int16),
        "c": aten.ones(3),
    }
    aten.save(state, tmp_path / "x.pt")
    for computed in (False, True):
        with config.patch({"load.calculate_storage_offsets": computed}):
            there = torch.load(tmp_path / "x.pt", mmap=True)
        assert {k: v.tolist() for k, v in there.items()} == {k: v.tolist() for k, v in state.items()}


def test_records_are_those_of_pytorch(tmp_path: Path) -> None:
    import zipfile

    listed = []
    for library in (torch, aten):
        library.save([library.arange(3.0), library.zeros(0)], tmp_path / "a model.v2.pt")
        with zipfile.ZipFile(tmp_path / "a model.v2.pt") as archive:
            names = [n for n in archive.namelist() if not n.endswith("serialization_id")]
            listed.append({n: archive.read(n) for n in names})
    assert list(listed[0]) == list(listed[1])
    assert listed[0] == listed[1], "also the pickles are the same, byte by byte"
