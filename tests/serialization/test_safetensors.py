"""aten.safetensors: files that the package and PyTorch read, and the other way round; damaged ones."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path
from typing import Any

import aten
import pytest
from aten import safetensors

DTYPES = [
    *("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"),
    *("float16", "bfloat16", "float32", "float64", "complex64"),
]


def values(package: Any, dtype: str) -> Any:
    return package.tensor([[0, 1, 2], [3, 0, 5]]).to(getattr(package, dtype))


def tensors(package: Any) -> dict[str, Any]:
    made = {dtype: values(package, dtype) for dtype in DTYPES}
    return {**made, "none": package.empty(0, 3), "scalar": package.tensor(2.5), "Wörter/1": package.ones(2)}


def write(file: Path, header: Any, data: bytes) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return file


def same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert found.keys() == expected.keys()
    for name, tensor in expected.items():
        assert str(found[name].dtype).partition(".")[2] == str(tensor.dtype).partition(".")[2]
        assert found[name].tolist() == tensor.tolist() and tuple(found[name].shape) == tuple(tensor.shape)


def test_files_and_bytes_round_trip(tmp_path: Path) -> None:
    given = tensors(aten)
    safetensors.save_file(given, tmp_path / "x", {"by": "a test"})
    same(safetensors.load_file(tmp_path / "x"), given)
    same(safetensors.load(safetensors.save(given)), given)
    with safetensors.safe_open(tmp_path / "x") as file:
        assert sorted(file.keys()) == sorted(file.offset_keys()) == sorted(given)
        assert file.metadata() == {"by": "a test"}
    assert safetensors.save(given, {"by": "a test"}) == (tmp_path / "x").read_bytes()


def test_pytorch_reads_and_writes_the_same_files(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    theirs = pytest.importorskip("safetensors.torch")
    safetensors.save_file(tensors(aten), tmp_path / "ours")
    theirs.save_file(tensors(torch), tmp_path / "theirs")
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
    same(theirs.load_file(tmp_path / "ours"), tensors(torch))
    same(safetensors.load_file(tmp_path / "theirs"), tensors(torch))


def test_tensors_are_the_memory_of_the_file(tmp_path: Path) -> None:
    safetensors.save_file({"a": aten.zeros(4), "b": aten.ones(4)}, tmp_path / "x")
    content = (tmp_path / "x").read_bytes()
    with safetensors.safe_open(tmp_path / "x") as file:
        a, b, again = file.get_tensor("a"), file.get_tensor("b"), file.get_tensor("a")
    assert b.data_ptr() - a.data_ptr() == 16 and again.data_ptr() == a.data_ptr()
    del file
    a += 5  # the tensors outlive the file, and don't write to it
    assert a.tolist() == again.tolist() == [5.0] * 4 and b.tolist() == [1.0] * 4
    assert (tmp_path / "x").read_bytes() == content


def test_bytes_that_are_not_aligned_are_copied(tmp_path: Path) -> None:
    header = {"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
    for blank in range(8):
        text = json.dumps(header).encode() + b" " * blank
        file = write(tmp_path / "x", text, struct.pack("<2f", 1.5, -2.0))
        assert safetensors.load_file(file)["x"].tolist() == [1.5, -2.0]


def part(dtype: str = "F32", shape: Any = (2,), offsets: Any = (0, 8)) -> dict[str, Any]:
    return {"x": {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}}


@pytest.mark.parametrize(
    ("header", "data"),
    [
        (b"", b""),
        (b"{", b""),
        (b"[]", b""),
        (b"\xff\xfe", b""),
        (part(), b"\0" * 4),
        (part(), b"\0" * 12),
        (part(offsets=(4, 12)), b"\0" * 12),
        (part(offsets=(8, 0)), b"\0" * 8),
        (part(offsets=(0, 2**63)), b"\0" * 8),
        (part(shape=(2**62, 2**62)), b"\0" * 8),
        (part(shape=(-2,)), b"\0" * 8),
        (part(shape=(3,)), b"\0" * 8),
        (part(dtype="Q9"), b"\0" * 8),
        ({"x": 1}, b""),
        ({"__metadata__": {"a": 1}}, b""),
    ],
)
def test_damaged_files(header: Any, data: bytes, tmp_path: Path) -> None:
    file = write(tmp_path / "x", header, data)
    with pytest.raises(safetensors.SafetensorError):
        safetensors.load_file(file)
    with pytest.raises(safetensors.SafetensorError):
        safetensors.load(file.read_bytes())


@pytest.mark.parametrize("content", [b"", b"\0" * 7, b"\xff" * 8, struct.pack("<Q", 2**40) + b"{}"])
def test_files_without_a_header(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises((safetensors.SafetensorError, OSError)):
        safetensors.load_file(tmp_path / "x")


def test_what_can_not_be_read_or_written(tmp_path: Path) -> None:
    file = write(tmp_path / "x", part("F8_E4M3", (8,)), b"\0" * 8)
    with pytest.raises(safetensors.SafetensorError, match="'x' has the dtype F8_E4M3"):
        safetensors.load_file(file)
    with safetensors.safe_open(file) as opened, pytest.raises(safetensors.SafetensorError, match="contain"):
        opened.get_tensor("y")
    with pytest.raises(FileNotFoundError):
        safetensors.load_file(tmp_path / "nothing")
    x = aten.zeros(4, 4)
    with pytest.raises(ValueError, match="'x' is not contiguous"):
        safetensors.save({"x": x.t()[1:]})
    with pytest.raises(ValueError, match="Key `x` is invalid"):
        safetensors.save({"x": [1.0]})  # type: ignore[dict-item]
    with pytest.raises(RuntimeError, match="'a' and 'b' have memory in common"):
        safetensors.save({"b": x[1:], "a": x})
    same(safetensors.load(safetensors.save({"a": x[:2], "b": x[2:]})), {"a": x[:2], "b": x[2:]})


def test_texts_and_names() -> None:
    x = aten.ones(1)
    for metadata in ({"a": 1}, ["a"], {1: "a"}):
        with pytest.raises(ValueError, match="metadata: expected texts by their names"):
            safetensors.save({"x": x}, metadata)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="__metadata__, which is that of the texts"):
        safetensors.save({"__metadata__": x})
    with pytest.raises(ValueError, match=r"dtype .*complex128, which the format"):
        safetensors.save({"x": x.to(aten.complex128)})
    assert safetensors.load(safetensors.save({})) == {}
    assert safetensors.load(safetensors.save({}, {})) == {}


def test_a_file_stays_as_it_is_where_it_can_not_be_written(tmp_path: Path) -> None:
    safetensors.save_file({"x": aten.ones(1)}, tmp_path / "x")
    before = (tmp_path / "x").read_bytes()
    with pytest.raises(ValueError, match="contiguous"):
        safetensors.save_file({"a": aten.ones(1), "b": aten.ones(2, 2).t()}, tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == before


def changed(content: bytes, draw: random.Random) -> bytes:
    """The content with a few bytes changed, removed or added, most of them in the header."""
    data, end = bytearray(content), 8 + struct.unpack_from("<Q", content)[0]
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(max(1, min(end, len(data))))
        kind = draw.randrange(4)
        if kind == 0:
            data[at : at + 1] = b"%c" % draw.choice(b'0123456789"{}[],:- FIUB\\\xff\x00')
        elif kind == 1:
            del data[at : at + draw.randint(1, 4)]
        elif kind == 2:
            data[at:at] = draw.choice([b"0", b"-", b'"x":1,', b" ", b"[", b"1e3", b"9" * 30])
        else:
            del data[draw.randint(0, len(data)) :]
    if draw.random() < 0.7:  # a header of the length that is written
        data[:8] = struct.pack("<Q", max(0, data.rfind(b"}") + 1 - 8))
    return bytes(data)


@pytest.mark.parametrize("seed", range(20))
def test_damaged_files_are_refused_as_by_the_package(seed: int) -> None:
    package = pytest.importorskip("safetensors")
    draw = random.Random(seed)
    original = safetensors.save(
        {"a": aten.arange(3), "b": aten.ones(2, 2), "c": aten.zeros(0), "d": aten.ones(1, dtype=aten.bool)},
        {"by": "a test"},
    )
    accepted = 0
    for _ in range(200):
        data = changed(original, draw)
        try:
            theirs = dict(package.deserialize(data))
        except package.SafetensorError:
            theirs = None
        try:
            ours = safetensors.load(data)
        except safetensors.SafetensorError:
            ours = None
        if theirs is not None and any(p["dtype"][:2] in ("F4", "F6", "F8") for p in theirs.values()):
            continue  # no tensors of these are here
        assert (ours is None) == (theirs is None), data
        for name, part in (theirs or {}).items():
            assert list(ours[name].shape) == part["shape"]
            assert bytes(ours[name].untyped_storage().tolist()[: len(part["data"])]) == bytes(part["data"])
        accepted += ours is not None
    assert accepted < 200


def test_memory_of_files(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(bytes(range(16)))
    whole = aten.UntypedStorage.from_file(tmp_path / "x", False, 16)
    part = whole[4:12]
    assert part.tolist() == list(range(4, 12)) and part.data_ptr() == whole.data_ptr() + 4
    shared = aten.asarray(part, dtype=aten.uint8)
    assert shared.untyped_storage().nbytes() == 8
    shared.fill_(7)
    assert whole.tolist() == [0, 1, 2, 3, *[7] * 8, 12, 13, 14, 15] and whole[3] == 3
    assert (tmp_path / "x").read_bytes() == bytes(range(16))
    assert len(whole[5:2]) == 0 and whole.untyped() is whole
    with pytest.raises(RuntimeError, match="only a step of 1"):
        whole[::2]
    written = aten.UntypedStorage.from_file(str(tmp_path / "x"), True, 16)
    written[0] = 9
    assert (tmp_path / "x").read_bytes()[0] == 9
