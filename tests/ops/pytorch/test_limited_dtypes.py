"""uint16, uint32, uint64 and complex32: this library does with them what PyTorch does.

PyTorch's database has few samples of them, so those of int64 and complex64 are taken, and their tensors and
dtypes replaced; integers without their signs, for -1 would be the degree 2**64 - 1 of a polynomial. Calls
that PyTorch rejects may succeed here.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aten
import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)
pytest.importorskip("expecttest", reason="PyTorch's samples need expecttest")

from opinfo import case_id  # noqa: E402
from oracle import DTYPES, assert_same, to_aten  # noqa: E402
from recorded import Recorded, calls_of, ours  # noqa: E402
from replay import check_all_values  # noqa: E402
from subjects import owners  # noqa: E402
from tensors import CAMPAIGN, DEVICE  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._pytree import tree_leaves, tree_map  # noqa: E402

pytestmark = pytest.mark.skipif(DEVICE != "cpu", reason="on the CPU only")

OWNERS = owners(Path(__file__).resolve().parents[3])

# The dtype, and the one whose samples are used for it.
SAMPLES_OF = {
    torch.uint16: torch.int64,
    torch.uint32: torch.int64,
    torch.uint64: torch.int64,
    torch.complex32: torch.complex64,
}


def converted(call: Recorded, source: Any, dtype: Any) -> Recorded | None:
    """Returns the call with another dtype; None if no argument has the source's dtype."""

    def one(value: Any) -> Any:
        if value is source:
            return dtype
        if not isinstance(value, torch.Tensor) or value.dtype is not source:
            return value
        return value.to(dtype) if dtype.is_complex else value.abs().to(dtype)

    args, kwargs = tree_map(one, (call.args, call.kwargs))
    leaves = tree_leaves((args, kwargs))
    if not any(v is dtype or (isinstance(v, torch.Tensor) and v.dtype is dtype) for v in leaves):
        return None
    return Recorded(call.func, args, kwargs)


def accepted(call: Recorded) -> bool:
    """Whether PyTorch accepts the call and computes something: it refuses matrices of complex32 only when
    they have elements, this library always.
    """
    if OWNERS.get(call.func.__name__.partition(".")[0]) == "linalg" and any(
        t.dtype is torch.complex32 and t.numel() == 0 for t in call.tensors
    ):
        return False
    args, kwargs = call.arguments()
    try:
        call.func(*args, **kwargs)
    except Exception:
        return False
    return True


def cases() -> Iterator[Any]:
    for op in op_db:
        for dtype, source in SAMPLES_OF.items():
            if source in op.supported_dtypes("cpu") and not op.name.startswith("jiterator"):
                yield pytest.param(op, dtype, id=case_id(op, dtype), marks=CAMPAIGN)


@pytest.mark.parametrize(("op", "dtype"), list(cases()))
def test_calls_that_pytorch_makes(op: Any, dtype: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = calls_of(op, SAMPLES_OF[dtype], lambda name: ours(name) is not None)
        calls = (converted(call, SAMPLES_OF[dtype], dtype) for call in given)
        check_all_values((call for call in calls if call is not None and accepted(call)), dtype)


def values_of(dtype: Any) -> Any:
    """Returns values at the limits of the dtype and between them."""
    if dtype.is_complex:
        return torch.tensor([0, 1 + 2j, -3.5j, 1000.25 - 7j], dtype=torch.complex128).to(dtype)
    if dtype is torch.bool:
        return torch.tensor([True, False])
    if dtype.is_floating_point:
        return torch.tensor([0, 1.75, 3, 250.5], dtype=torch.float64).to(dtype)
    info = torch.iinfo(dtype)
    values = [0, 1, 3, info.max, info.max // 2 + 1, *([-1, info.min] if dtype.is_signed else [])]
    return torch.tensor(values, dtype=dtype)


@pytest.mark.parametrize("dtype", SAMPLES_OF, ids=str)
@pytest.mark.parametrize("other", DTYPES, ids=str)
def test_conversions(dtype: Any, other: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source, to in ((dtype, other), (other, dtype)):
            for t in (values_of(source), values_of(source).repeat(301)[::3]):
                assert_same(to_aten(t).to(DTYPES[to]), t.to(to), f"{source} to {to}")


@pytest.mark.parametrize("name", ["uint16", "uint32", "uint64"])
def test_from_numpy(name: str) -> None:
    array = np.array([0, 1, np.iinfo(name).max], name)
    t = aten.from_numpy(array)
    assert t.dtype is getattr(aten, name) and t.data_ptr() == array.ctypes.data
    assert t.tolist() == array.tolist() and np.array_equal(t.numpy(), array)
    assert aten.tensor(array.tolist(), dtype=t.dtype).tolist() == array.tolist()
    assert t[2].item() == int(array[2])
    with pytest.raises(OverflowError):
        aten.tensor([2**64], dtype=aten.uint64)


def test_results_wrap_before_they_are_converted() -> None:
    """Loops of a wider dtype that write into another dtype first convert to the limited dtype."""
    short, most = aten.tensor([65535], dtype=aten.uint16), aten.tensor([2**64 - 1], dtype=aten.uint64)
    out = aten.empty((1,), dtype=aten.float64)
    assert aten.mul(short, short, out=out).tolist() == [1]
    assert aten.mul(most, aten.ones_like(most), out=out).tolist() == [2.0**64]
