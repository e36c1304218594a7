"""Our own kernels do what their schemas say: check_schemas finds nothing in calls of every sample row."""

from __future__ import annotations

import warnings

import aten
import pytest
from calls import forms_of
from rows import Row
from samples import ROWS
from tensors import DEVICE
from test_samples import calls_of, check_functional, check_inplace, check_out

CHECKS = {"functional": check_functional, "inplace": check_inplace, "out": check_out}
CALLS = 6  # of a row; what an operator does to its arguments is the same for most
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(DEVICE != "cpu", reason="a copy of all memory for each call"),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_kernels_do_what_their_schemas_say(row: Row) -> None:
    dtype = next((d for d in ("float32", "int64") if d in row.dtypes), row.dtypes[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error", aten.SchemaWarning)
        calls = calls_of(row, dtype)
        for call, expected in calls[:: max(1, len(calls) // CALLS)]:
            for form in forms_of(row.name, call):
                if form.kind != "inplace" or row.inplace:
                    with aten.check_schemas():
                        CHECKS[form.kind](row, call, form, expected)
