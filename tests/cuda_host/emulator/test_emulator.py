"""The emulated device: each kernel of faults.cu has a fault that is reported, a sound twin that is not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import build_rules
import host
import pytest

pytestmark = pytest.mark.skipif(
    not host.FAULTS.exists(), reason="build/cuda_host is not built; make test-cuda-host builds it"
)

LAZY = {"EMULATOR_LAZY": "1"}
TWO = {"EMULATOR_DEVICES": "2"}
INITIALISED = {"EMULATOR_INITIALISED": "1"}

# What is reported of each kernel, and with which settings beside the default ones.
FAULTS: dict[str, tuple[str, dict[str, str]]] = {
    "reverse": ("race", {}),
    "reverse_twice": ("race", {}),
    "reverse_in_warp": ("race", {}),
    "synchronize_halves": ("race", {}),
    "count": ("race", {}),
    "set_and_count": ("race", {}),
    "clear_what_others_read": ("race", {}),
    "write_by_blocks": ("race", {}),
    "read_of_other_block": ("race", {}),
    "add_by_blocks": ("race", {}),
    "read_beside_atomics": ("race", {}),
    "write_beyond_global": ("out-of-bounds", {}),
    "read_byte_beyond": ("out-of-bounds", {}),
    "swap_last_word": ("out-of-bounds", {}),
    "write_beyond_static": ("out-of-bounds", {}),
    "write_beyond_dynamic": ("out-of-bounds", {}),
    "copy_beyond_global": ("out-of-bounds", {}),
    "copy_too_much": ("out-of-bounds", {}),
    "use_after_free": ("out-of-bounds", {}),
    "free_before_use": ("out-of-bounds", LAZY),
    "free_twice": ("bad-free", {}),
    "free_other_memory": ("bad-free", {}),
    "read_unwritten_shared": ("uninitialised-shared", {}),
    "read_unwritten_global": ("uninitialised-global", INITIALISED),
    "copy_unwritten_to_host": ("uninitialised-global", INITIALISED),
    "read_before_wait": ("uninitialised-global", {**LAZY, **INITIALISED}),
    "use_before_event": ("uninitialised-global", {**LAZY, **INITIALISED}),
    "read_misaligned": ("misaligned", {}),
    "read_misaligned_vector": ("misaligned", {}),
    "read_host_memory": ("host-memory", {}),
    "read_null": ("null", {}),
    "read_on_host": ("device-memory-on-host", {}),
    "write_local_of_other": ("local-memory-of-other-thread", {}),
    "write_to_parameter": ("write-to-parameter", {}),
    "wait_in_branches": ("divergent-barrier", {}),
    "wait_after_others_left": ("barrier-after-exit", {}),
    "shuffle_without_some": ("deadlock", {}),
    "mask_without_itself": ("warp-mask", {}),
    "read_lane_beyond_mask": ("warp-mask", {}),
    "load_misaligned_tile": ("misaligned", {}),
    "load_tile_of_odd_rows": ("misaligned", {}),
    "store_tile_beyond": ("out-of-bounds", {}),
    "load_what_others_stored": ("race", {}),
    "multiply_after_some_left": ("part-of-warp", {}),
    "multiply_in_a_branch": ("deadlock", {}),
    "throw_exception": ("exception", {}),
    "use_shared": ("shared-too-large", {}),
    "launch_too_large": ("launch-configuration", {}),
    "launch_many_threads": ("launch-configuration", {}),
    "launch_no_blocks": ("launch-configuration", {}),
    "launch_much_shared": ("launch-configuration", {}),
    "copy_wrong_way": ("memcpy-kind", {}),
    "use_memory_of_other_device": ("other-device", TWO),
    "launch_on_stream_of_other_device": ("stream-of-other-device", TWO),
    "record_event_of_other_device": ("event-of-other-device", TWO),
}
TRAPS = "sum_by_shuffles"  # a failed check of the kernel's own is an error, no report


def outcome(name: str, order: int, **settings: str) -> host.Outcome:
    given = {**os.environ, "EMULATOR_ORDER": str(order), **settings}
    return host.outcome_of([str(host.FAULTS), name], given, timeout=60)


def test_every_kernel_is_expected() -> None:
    done = subprocess.run([host.FAULTS], capture_output=True, text=True, check=True)
    names = {name.partition("/")[0] for name in done.stdout.split()}
    assert names == {*FAULTS, TRAPS}


def reported_kinds(text: str) -> set[str]:
    """What a source of the emulator passes to report() first: a string, or a choice among some."""
    calls = [found[1] for found in re.finditer(r"(?<!void )\breport\(([^,]*),", text)]
    assert all('"' in call for call in calls), f"a report whose kind is no string: {calls}"
    return {kind for call in calls for kind in re.findall(r'"([^"]*)"', call)}


def test_every_kind_of_report_is_seeded() -> None:
    folder = build_rules.EMULATOR
    sources = [file for file in folder.rglob("*") if file.suffix in (".cpp", ".h", ".cuh")]
    kinds = {kind for file in sources for kind in reported_kinds(file.read_text())}
    assert {"race", "null", "host-memory", "uninitialised-shared"} <= kinds
    assert kinds == {kind for kind, _ in FAULTS.values()}


@pytest.mark.parametrize("order", range(3), ids=host.ORDERS)
@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_reported(name: str, order: int) -> None:
    kind, settings = FAULTS[name]
    found = outcome(name, order, **settings)
    assert kind in {report.kind for report in found.reports}, found


@pytest.mark.parametrize("order", range(3), ids=host.ORDERS)
@pytest.mark.parametrize("name", FAULTS)
def test_sound_twin_is_not(name: str, order: int) -> None:
    """With every check on, and streams both eager and lazy."""
    for lazy in ("0", "1"):
        found = outcome(f"{name}/sound", order, EMULATOR_LAZY=lazy, **TWO, **INITIALISED)
        assert not found.reports
        assert (found.returncode, found.stdout) == (0, "cudaSuccess\n")


def test_failed_check_of_a_kernel_is_an_error() -> None:
    assert outcome(TRAPS, 0).stdout == "cudaErrorLaunchFailure\n"
    assert outcome(f"{TRAPS}/sound", 0).stdout == "cudaSuccess\n"


def test_report_names_lines() -> None:
    """Both accesses of a race, with the file as it is in the repository."""
    races = [r for r in outcome("reverse", 0).reports if r.kind == "race"]
    lines = (build_rules.EMULATOR / "faults.cu").read_text().splitlines()
    for report in races:
        for place in (report.place, report.other):
            file, _, number = place[0].split()[0].rpartition(":")
            assert file == "tools/cuda_emulator/faults.cu"
            assert "s[" in lines[int(number) - 1]
        assert report.launched.startswith("tools/cuda_emulator/faults.cu:")


UNKNOWN = {
    "__dp4a(1, 2, 3)": "threadIdx.x",
    "__reduce_add_sync(0xffffffffu, 1)": "__shfl_sync(0xffffffffu, 1, 0)",
    "cudaGraphLaunch(nullptr, nullptr)": "cudaGetLastError()",
}


@pytest.mark.parametrize("unknown", UNKNOWN)
def test_what_the_emulator_does_not_know_is_a_compile_error(unknown: str, tmp_path: Path) -> None:
    """In kernels, templates and the host's code; what it knows is none."""
    name = unknown.partition("(")[0]
    refused = compiled(unknown, tmp_path)
    assert refused.returncode != 0
    assert re.search(rf"error: .?{name}.? was not declared", refused.stderr), refused.stderr
    accepted = compiled(UNKNOWN[unknown], tmp_path)
    assert accepted.returncode == 0, accepted.stderr


def compiled(expression: str, folder: Path) -> subprocess.CompletedProcess[str]:
    source, cpp = folder / "intrinsic.cu", folder / "intrinsic.cpp"
    source.write_text(
        "#include <cuda_runtime.h>\n"
        f"template <class T> __global__ void kernel(T* p) {{ *p = static_cast<T>({expression}); }}\n"
        "void launch(int* p) { kernel<int><<<1, 32>>>(p); }\n"
    )
    subprocess.run([sys.executable, build_rules.EMULATOR / "translate.py", source, cpp], check=True)
    command = [*os.environ.get("CXX", "g++").split(), *build_rules.FLAGS, "-fsyntax-only"]
    command += [f"-I{build_rules.EMULATOR}/include", str(cpp)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
