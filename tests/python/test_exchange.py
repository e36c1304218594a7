"""Export to and import from NumPy and DLPack, with shared memory."""

from __future__ import annotations

import gc

import aten
import pytest

np = pytest.importorskip("numpy")

DTYPES = [
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]


@pytest.mark.parametrize("name", DTYPES)
def test_numpy_shares_memory(name: str) -> None:
    array = np.zeros((2, 3), name)
    x = aten.from_numpy(array)
    assert x.dtype is getattr(aten, name) and x.shape == (2, 3) and x.data_ptr() == array.ctypes.data
    array[1, 2] = 1
    assert x[1, 2].item() == 1
    back = x.numpy()
    assert back.dtype == array.dtype and back.ctypes.data == array.ctypes.data
    del array, x
    gc.collect()
    assert back[1, 2] == 1


def test_strides_go_through() -> None:
    array = np.arange(24.0).reshape(2, 3, 4)
    for view in (array.transpose(2, 0, 1), array[:, ::2], array[..., 1], array[:0]):
        x = aten.from_numpy(view)
        assert np.array_equal(x.numpy(), view) and x.numpy().strides == view.strides
    x = aten.arange(12).reshape(3, 4).t()
    assert x.numpy().strides == (8, 32) and np.array_equal(x.numpy(), np.arange(12).reshape(3, 4).T)


def test_read_only_arrays_stay_so() -> None:
    array = np.ones(3)
    array.setflags(write=False)
    x = aten.from_numpy(array)
    with pytest.raises((RuntimeError, ValueError), match="read-only"):
        x.add_(1)
    with pytest.raises((RuntimeError, ValueError), match="read-only"):
        x[0] = 2
    assert (x + 1).tolist() == [2, 2, 2] and array.tolist() == [1, 1, 1]
    assert not x.numpy().flags.writeable
    y = aten.from_dlpack(array)
    with pytest.raises((RuntimeError, ValueError), match="read-only"):
        y.add_(1)
    with pytest.raises(BufferError):
        x.__dlpack__()


@pytest.mark.parametrize(
    ("array", "error"),
    [
        (lambda: np.arange(3)[::-1], ValueError),
        (lambda: np.array(["a"]), TypeError),
        (lambda: np.zeros(2, ">f4"), ValueError),
        (lambda: np.zeros(2, "datetime64[s]"), TypeError),
        (lambda: np.zeros(2, "O"), TypeError),
        (lambda: np.zeros(9, "u1")[1:].view("f8"), ValueError),
        (lambda: [1, 2], TypeError),
    ],
)
def test_arrays_that_cannot_be_shared(array, error) -> None:
    with pytest.raises(error):
        aten.from_numpy(array())


def test_complex_numbers_that_are_aligned_as_their_parts() -> None:
    """NumPy accepts this alignment; instructions that move all 16 bytes at once don't."""
    parts = np.arange(9.0)
    for start in (0, 1):
        array = parts[start : start + 8].view("complex128")
        if array.ctypes.data % 16 == 0:
            assert (aten.from_numpy(array) + 0).tolist() == array.tolist()
            continue
        with pytest.raises(ValueError, match="not aligned"):
            aten.from_numpy(array)
        with pytest.raises(BufferError, match="isn't aligned to 16 bytes"):
            aten.from_dlpack(array)
        assert aten.tensor(array).tolist() == aten.as_tensor(array).tolist() == array.tolist()


def test_tensor_copies_an_array() -> None:
    for array in (np.arange(3)[::-1], np.arange(3, dtype=">i4")):
        with pytest.raises(ValueError, match=r"use copy|use astype"):
            aten.tensor(array)
    array = np.ones(2, np.float32)
    x = aten.tensor(array)
    array[0] = 5
    assert x.tolist() == [1, 1]
    assert aten.as_tensor(array).data_ptr() == array.ctypes.data
    assert aten.tensor(np.float32(2.5)).dtype is aten.float32
    assert aten.tensor([np.float64(1), 2]).dtype is aten.float64


def test_numpy_of_other_types_and_devices() -> None:
    with pytest.raises(TypeError, match="bfloat16"):
        aten.ones(2, dtype=aten.bfloat16).numpy()
    with pytest.raises((TypeError, RuntimeError)):
        aten.ones(2, device="meta").numpy()
    with pytest.raises(RuntimeError, match="detach"):
        aten.ones(2).requires_grad_().numpy()


def test_numpy_functions_take_tensors() -> None:
    x = aten.arange(4).reshape(2, 2)
    assert np.asarray(x).shape == (2, 2) and np.sum(np.asarray(x)) == 6
    assert np.asarray(x, dtype=np.float32).dtype == np.float32
    assert np.array(x).ctypes.data != x.data_ptr()


def test_dlpack_capsules() -> None:
    x = aten.arange(6).reshape(2, 3)
    assert x.__dlpack_device__() == (1, 0)
    for capsule in (x.__dlpack__(), x.__dlpack__(max_version=(1, 0))):
        y = aten.from_dlpack(capsule)
        assert y.data_ptr() == x.data_ptr() and aten.equal(x, y)
        with pytest.raises(ValueError, match="already consumed"):
            aten.from_dlpack(capsule)
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0)))
    assert aten.from_dlpack(x.__dlpack__(copy=True)).data_ptr() != x.data_ptr()
    for _ in range(100):
        x.__dlpack__()  # dropped unused
    with pytest.raises(BufferError):
        x.__dlpack__(stream=1)
    with pytest.raises(TypeError):
        x.__dlpack__(max_version=1)
    with pytest.raises(TypeError):
        aten.from_dlpack(3)


def test_dlpack_with_numpy() -> None:
    array = np.arange(6.0).reshape(2, 3)
    x = aten.from_dlpack(array)
    assert x.data_ptr() == array.ctypes.data
    back = np.from_dlpack(x)
    assert back.ctypes.data == array.ctypes.data
    x[0, 0] = 9
    assert array[0, 0] == 9
    del array, x
    gc.collect()
    assert back[0, 0] == 9


def test_memory_outlives_its_maker() -> None:
    capsules = [aten.full((1000,), i).__dlpack__() for i in range(20)]
    gc.collect()
    assert [aten.from_dlpack(c)[0].item() for c in capsules] == list(range(20))


@pytest.mark.parametrize("export", [lambda t: t.numpy(), np.from_dlpack, np.asarray])
def test_exported_memory_stays_where_it_is(export) -> None:
    """resize_() would move the memory, `data =` would free it; the other library's array outlives both."""
    size = 200_000  # large enough for memory of its own, which is returned to the system when it is freed
    t = aten.ones(size)
    array = export(t)
    with pytest.raises(RuntimeError, match=r"resize_.*shares its storage"):
        t.resize_(2 * size)
    t.data = aten.zeros(3)
    assert t.tolist() == [0, 0, 0] and float(array.sum()) == size
    del array
    assert t.resize_(5).shape == (5,)
