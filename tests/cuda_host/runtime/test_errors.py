"""What is wrong with a call or a machine is told with the operator and its cause."""

from __future__ import annotations

import os
import shutil
import subprocess

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PROGRAM = """
import aten

try:
    x = aten.ones([4], device="cuda:0")
    y = aten.ones([4], device="cuda:1")
    {call}
except (RuntimeError, MemoryError) as error:
    print(error)
"""
OTHER_DEVICES = [
    (
        "x + y",
        "aten.Tensor.add(): Expected all tensors to be on the same device, but found at least two devices",
    ),
    ("aten.cat([x, y])", "aten::cat(): argument 'tensors' is on cuda:1, other arguments on cuda:0"),
    ("aten.ones([2], device='cuda:7')", "aten.ones(): invalid device cuda:7: there are 2 CUDA devices\n"),
    ("x.to('cuda:7')", "aten.Tensor.to(): invalid device cuda:7: there are 2 devices of type cuda\n"),
    ("aten.cuda.synchronize('cuda:7')", "aten.synchronize(): invalid device cuda:7: there are 2 devices"),
]


@pytest.mark.parametrize(("call", "message"), OTHER_DEVICES, ids=[call for call, _ in OTHER_DEVICES])
def test_devices_that_are_others_or_none(call, message):
    outcome = host.run(PROGRAM.format(call=call), devices=2)
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.startswith(message)
    assert host.unreviewed(outcome.reports) == []


@pytest.mark.parametrize(
    ("elements", "size"),
    [("1 << 40", "4096.00 GiB"), ("1 << 60", "4294967296.00 GiB")],
    ids=["larger than the device", "larger than can be rounded"],
)
def test_out_of_memory_says_what_was_asked_for_and_what_there_is(elements, size):
    outcome = host.run(
        PROGRAM.format(call=f"aten.empty([{elements}], device='cuda:0')"), devices=2, allocator="caching"
    )
    assert outcome.returncode == 0, outcome.stderr
    asked, there_is = outcome.stdout.split(" Device 0 has ")
    assert asked == f"aten.empty(): CUDA out of memory. Tried to allocate {size}."
    assert " GiB in all, of which " in there_is
    assert there_is.endswith(
        "is free; tensors of this process take 512 bytes of the 2.00 MiB that its cache holds.\n"
    )


# In place of the runtime's: a machine without a device, or with a driver that is missing or too old.
DRIVER = """
extern "C" __attribute__((visibility("default"))) int cudaGetDeviceCount(int* count) {
  *count = 0;
  return ERROR;
}
"""


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (100, "This machine has no CUDA device."),
        (35, "There is no NVIDIA driver, or it is older than this library's CUDA runtime."),
    ],
    ids=["no device", "no driver"],
)
def test_why_there_is_no_device(error, message, tmp_path, monkeypatch):
    source, driver = tmp_path / "driver.cpp", tmp_path / "driver.so"
    source.write_text(DRIVER)
    compiler = os.environ.get("CXX") or shutil.which("c++") or "g++"
    subprocess.run(
        [*compiler.split(), f"-DERROR={error}", "-shared", "-fPIC", source, "-o", driver], check=True
    )
    monkeypatch.setenv("LD_PRELOAD", str(driver))
    for call in ("aten.ones([2], device='cuda:0')", "aten.ones([2]).to('cuda')"):
        outcome = host.run(
            f"import aten\ntry:\n    {call}\nexcept RuntimeError as error:\n    print(error)\n"
        )
        assert outcome.returncode == 0, outcome.stderr
        assert outcome.stdout.startswith("aten.")
        assert outcome.stdout.endswith(f". {message}\n")
