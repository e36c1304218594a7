"""The operators that cast are those of PyTorch that this library has, with the same casts."""

from __future__ import annotations

import re
from pathlib import Path

import aten
import pytest
from autocast_file import casts

torch = pytest.importorskip("torch")

# In PyTorch's header, by the names of its lists.
LISTS = {
    "LOWER_PRECISION_FP": "lower_precision",
    "FP32": "float32",
    "FP32_SET_OPT_DTYPE": "float32_dtype",
    "PROMOTE": "promote",
}


def registered(device: str) -> set[str]:
    """PyTorch's operators with a kernel for the device's key, of those that are here."""
    names = torch._C._dispatch_get_registrations_for_dispatch_key(f"Autocast{device}")
    ours = set(aten._C._operator_names())
    found = {name for name in names if name in ours}
    assert len(found) > 100
    return {name.removeprefix("aten::") for name in found}


@pytest.mark.parametrize("device", ["CPU", "CUDA"])
def test_the_operators(device: str) -> None:
    assert set(casts(device)) == registered(device)


def test_the_casts_of_cuda() -> None:
    header = Path(torch.__file__).parent / "include" / "ATen" / "autocast_mode.h"
    text = header.read_text(encoding="utf-8")
    ours = casts("CUDA")
    found = {}
    for name, cast in LISTS.items():
        body = re.search(rf"#define AT_FORALL_{name}\(_\)(.*?)\n\n", text, re.DOTALL)
        assert body is not None
        for entry in re.findall(r"_\(([^()]*)\)", body[1]):
            found[".".join(part.strip() for part in entry.split(","))] = cast
    assert {op: cast for op, cast in ours.items() if op in found} == {
        op: cast for op, cast in found.items() if op in ours
    }
    assert set(ours) - set(found) == {"norm.Scalar", "norm.ScalarOpt_dim", "binary_cross_entropy"}
