"""UntypedStorage: made of sizes and bytes, compared, given to tensors, beside PyTorch's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aten
import pytest

MADE = [(), (0,), (8,), ([1, 2, 255],), ((),), (b"abc",)]


@pytest.mark.parametrize("args", MADE, ids=str)
def test_made_of_a_size_or_of_bytes(args: tuple[Any, ...]) -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = aten.UntypedStorage(*args), torch.UntypedStorage(*args)
    assert ours.nbytes() == len(ours) == ours.size() == theirs.nbytes()
    if args not in ((8,),):
        assert ours.tolist() == theirs.tolist()


def test_made_on_a_device() -> None:
    assert aten.UntypedStorage(4, device="meta").nbytes() == 4
    assert aten.UntypedStorage([1], device="cpu").device == aten.device("cpu")


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ((-1,), RuntimeError),
        (([256],), ValueError),
        (([-1],), ValueError),
        (([1.5],), TypeError),
        (("ab",), TypeError),
        ((2.0,), TypeError),
        ((1, 2), TypeError),
        ((aten.ones(2),), TypeError),
    ],
)
def test_what_makes_none(args: tuple[Any, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        aten.UntypedStorage(*args)


def test_the_same_memory_is_equal() -> None:
    x = aten.arange(4)
    a, b, other = x.untyped_storage(), x[1:].untyped_storage(), x.clone().untyped_storage()
    assert a == b and hash(a) == hash(b) and a != other and a != 3
    assert len({a, b, other}) == 2


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "uint8"])
def test_tensors_over_memory(dtype: str) -> None:
    """Of all bytes that make whole elements; they share it."""
    x = aten.arange(3).to(getattr(aten, dtype))
    storage = x.untyped_storage()
    for made in (x.new(storage), getattr(aten, NAMES[dtype])(storage)):
        assert made.tolist() == x.tolist() and made.dtype == x.dtype
        assert made.data_ptr() == x.data_ptr()
    assert aten.DoubleTensor(aten.UntypedStorage(15)).shape == (1,)


NAMES = {"float32": "Tensor", "float64": "DoubleTensor", "int16": "ShortTensor", "uint8": "ByteTensor"}


def test_what_memory_says_of_itself(tmp_path: Path) -> None:
    storage = aten.UntypedStorage([1, 2])
    assert (storage.is_cuda, storage.get_device(), storage.filename, storage.is_shared()) == (
        *(False, -1, None, False),
    )
    assert not storage.resizable() and storage.resize_(2) is storage
    with pytest.raises(RuntimeError, match="keeps its size, 2 bytes"):
        storage.resize_(3)
    (tmp_path / "x").write_bytes(b"abc")
    assert aten.UntypedStorage.from_file(tmp_path / "x", False, 3).filename == str(tmp_path / "x")
    with pytest.raises(RuntimeError, match="size of at least 0, got -1"):
        aten.UntypedStorage.from_file(tmp_path / "x", False, -1)
    shared = aten.ones(2).share_memory_()
    assert shared.untyped_storage().is_shared()
