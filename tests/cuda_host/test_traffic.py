"""What the emulator counts of kernels whose traffic can be told from their text."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

import host
import pytest
import traffic

PROGRAM = host.OUT / "traffic"
pytestmark = pytest.mark.skipif(
    not PROGRAM.exists(), reason="build/cuda_host is not built; make test-cuda-host builds it"
)

# Requests, sectors, ideal sectors and bytes of each kernel's reads and writes, by two warps.
GLOBAL = {
    "contiguous": (4, 16, 16, 512),
    "every_second": (4, 24, 16, 512),
    "column": (4, 72, 16, 512),
    "one_for_all": (4, 10, 10, 264),
    "shifted": (4, 18, 16, 512),
    "bytes": (4, 4, 4, 128),
    "vectors": (4, 64, 64, 2048),
    "half_of_the_lanes": (4, 8, 8, 256),
    "wide": (8, 256, 128, 4096),
    "atomic": (2, 2, 2, 16),
}
# Requests and passes of the reads beside the 33 that fill the memory, 32 of them the writes to it.
BANKS = {0: 1, 1: 1, 2: 2, 3: 1, 32: 32}


@cache
def counted(order: int) -> dict[str, traffic.Traffic]:
    file = host.OUT / f"traffic.{os.getpid()}.{order}.txt"
    environment = {**os.environ, "EMULATOR_TRAFFIC": str(file), "EMULATOR_ORDER": str(order)}
    try:
        done = subprocess.run([PROGRAM], env=environment, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return traffic.read(file)
    finally:
        file.unlink(missing_ok=True)


@pytest.fixture(params=range(3), ids=host.ORDERS)
def order(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.mark.parametrize("kernel", GLOBAL)
def test_sectors(kernel: str, order: int) -> None:
    of = counted(order)["global"].of(kernel)
    lines = [line for line in of.lines if line.what == "global"]
    found = tuple(
        sum(getattr(line, name) for line in lines) for name in ("requests", "units", "ideal", "bytes")
    )
    assert found == GLOBAL[kernel]
    assert of.narrowness() == found[0] * 512 / found[3]


def test_lanes_that_leave_a_loop_earlier_ask_with_the_others(order: int) -> None:
    """Lane i reads i + 1 times: the k-th time, the lanes from k on read what lies side by side."""
    of = counted(order)["global"].of("rounds")
    sectors = sum(-(-(32 - k) // 8) for k in range(32))
    assert of.requests("global") == 2 * (32 + 1)
    assert of.units("global") == 2 * (sectors + 4)


def test_rounds_of_an_unrolled_loop_are_apart(order: int) -> None:
    """In each of the five rounds half of the lanes ask for their floats of 32 that lie side by side."""
    of = counted(order)["global"].of("unrolled")
    sectors = [4, 4, 4, 2, 2]  # lanes with bit k of their number set: from bit 3 on, whole sectors
    assert of.requests("global") == 2 * (5 + 1)
    assert of.units("global") == 2 * (sum(sectors) + 4)


@pytest.mark.parametrize("stride", BANKS)
def test_bank_conflicts(stride: int, order: int) -> None:
    of = counted(order)["shared"].of(f"banks<{stride}>")
    reads = min((line for line in of.lines if line.what == "shared"), key=lambda line: line.requests)
    assert (reads.requests, reads.units, reads.ideal) == (1, BANKS[stride], 1)
    assert (of.requests("shared"), of.units("shared")) == (33, 32 + BANKS[stride])


def test_vectors_in_shared_memory_take_four_passes(order: int) -> None:
    of = counted(order)["shared"].of("shared_vectors")
    assert (of.requests("shared"), of.units("shared"), of.ratio("shared")) == (2, 8, 1)


def test_operations_since_the_title_before(order: int) -> None:
    of = counted(order)["operations"]
    assert [of.operations(what) for what in traffic.OPERATIONS] == [3, 1, 1, 0]
    assert (of.requests("global"), of.ratio("global"), of.ratio("shared")) == (3 * 2 * 2 * 2, 1, None)


def test_nothing_is_counted_unless_asked_for(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "EMULATOR_TRAFFIC"}
    subprocess.run([PROGRAM], env=environment, cwd=tmp_path, check=True)
    assert not list(tmp_path.iterdir())
