"""The dtypes that have no column in the table of overloads: PyTorch's samples of them, call by call."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)
pytest.importorskip("expecttest", reason="PyTorch's samples need expecttest")

from opinfo import case_id  # noqa: E402
from recorded import calls_of, ours  # noqa: E402
from replay import check_all_values  # noqa: E402
from tensors import CAMPAIGN  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

DTYPES = (torch.float16, torch.complex128, torch.uint8, torch.int8, torch.int16, torch.int32)


def cases() -> Iterator[Any]:
    for op in op_db:
        for dtype in DTYPES:
            if dtype in op.supported_dtypes("cpu") and not op.name.startswith("jiterator"):
                yield pytest.param(op, dtype, id=case_id(op, dtype), marks=CAMPAIGN)


@pytest.mark.parametrize(("op", "dtype"), list(cases()))
def test_calls(op: Any, dtype: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_all_values(calls_of(op, dtype, lambda name: ours(name) is not None), dtype)
