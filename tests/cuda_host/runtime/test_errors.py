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


def test_memory_that_ran_out_can_be_used_again_when_it_is_freed(monkeypatch):
    monkeypatch.setenv("EMULATOR_MEGABYTES", "64")
    for allocator in ("exact", "caching"):
        outcome = host.run(
            """
import aten

kept = []
try:
    while True:
        kept.append(aten.empty([1 << 20], device="cuda"))
except MemoryError as error:
    print(str(error).partition(" Tried")[0])
kept.clear()
print(aten.empty([1 << 20], device="cuda")[:1].fill_(1).item())
""",
            allocator=allocator,
        )
        assert outcome.returncode == 0, outcome.stderr
        assert outcome.stdout == "aten.empty(): CUDA out of memory.\n1.0\n"
        assert host.unreviewed(outcome.reports) == []


CALLS_THAT_FAIL = """
import ctypes

import aten

cuda = aten.cuda
emulator = ctypes.CDLL({emulator!r})
x = aten.arange(4096).to("cuda:0")
elsewhere = cuda.Stream(device=1)
handle = ctypes.c_void_p()
assert emulator.cudaStreamCreateWithPriority(ctypes.byref(handle), 1, 0) == 0
assert emulator.cudaStreamDestroy(handle) == 0
try:
    {call}
except RuntimeError as error:
    print(error)
print((x[:3] + 1).tolist())
"""
TOO_LARGE = (
    "cudaErrorInvalidConfiguration (cudaErrorInvalidConfiguration). A kernel's launch asks for more blocks, "
    "threads or shared memory than the device allows. It comes from cudaGetLastError() at "
)
NO_STREAM = (
    "cudaErrorInvalidResourceHandle (cudaErrorInvalidResourceHandle). The stream or event was destroyed, or "
    "is of another device than the current one. It comes from "
)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("x.sqrt()", f"aten.Tensor.sqrt(): CUDA error: {TOO_LARGE}"),
        ("aten.cumsum(x.view(-1, 2), 1)", f"aten.cumsum(): CUDA error: {TOO_LARGE}"),
        (
            "with cuda.stream(cuda.ExternalStream(elsewhere.cuda_stream, device=0)): x[:3].add_(1)",
            f"aten.Tensor.add_(): CUDA error: {NO_STREAM}",
        ),
        (
            "with cuda.stream(cuda.ExternalStream(handle.value, device=0)): x[:3].add_(1)",
            f"aten.Tensor.add_(): CUDA error: {NO_STREAM}",
        ),
        ("cuda.ExternalStream(handle.value, device=0).synchronize()", NO_STREAM),
        ("with cuda.stream(cuda.ExternalStream(handle.value, device=0)): x.cpu()", NO_STREAM),
    ],
    ids=["elementwise", "scan", "foreign stream", "destroyed stream", "waiting for it", "copying on it"],
)
def test_a_launch_that_the_device_refuses(call, message, monkeypatch):
    """The error names the operator and the cause; the device can be used afterwards."""
    monkeypatch.setenv("EMULATOR_GRID", "2")
    program = CALLS_THAT_FAIL.format(emulator=str(host.OUT / "libcuda_emulator.so"), call=call)
    outcome = host.run(program, devices=2)
    assert outcome.returncode == 0, outcome.stderr
    error, after = outcome.stdout.splitlines()
    assert message in error
    assert after == "[1, 2, 3]"


# In place of the runtime's: a machine without a device, or with a driver that is missing or too old.
DRIVER = """
#define RUNTIME extern "C" __attribute__((visibility("default"))) int
RUNTIME cudaGetDeviceCount(int* count) {
  *count = 0;
  return ERROR;
}
RUNTIME cudaDriverGetVersion(int* version) {
  *version = VERSION;
  return 0;
}
"""


@pytest.mark.parametrize(
    ("error", "version", "message"),
    [
        (100, 13000, "This machine has no CUDA device."),
        (35, 0, "This machine has no NVIDIA driver, or this process can't use it."),
        (
            35,
            12040,
            "The NVIDIA driver is for CUDA 12.4, and this library, built with CUDA 13.0, needs one for CUDA "
            "13.0 or later: install a newer driver.",
        ),
    ],
    ids=["no device", "no driver", "an old driver"],
)
def test_why_there_is_no_device(error, version, message, tmp_path, monkeypatch):
    source, driver = tmp_path / "driver.cpp", tmp_path / "driver.so"
    source.write_text(DRIVER)
    compiler = os.environ.get("CXX") or shutil.which("c++") or "g++"
    subprocess.run(
        [
            *compiler.split(),
            f"-DERROR={error}",
            f"-DVERSION={version}",
            "-shared",
            "-fPIC",
            source,
            "-o",
            driver,
        ],
        check=True,
    )
    monkeypatch.setenv("LD_PRELOAD", str(driver))
    for call in ("aten.ones([2], device='cuda:0')", "aten.ones([2]).to('cuda')"):
        outcome = host.run(
            f"import aten\ntry:\n    {call}\nexcept RuntimeError as error:\n    print(error)\n"
        )
        assert outcome.returncode == 0, outcome.stderr
        assert outcome.stdout.startswith("aten.")
        assert outcome.stdout.endswith(f". {message}\n")
