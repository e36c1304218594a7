"""No overload leaks memory, whether it accepts the arguments or rejects them."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import hostile
import pytest
from parts import parts

PARTS = 4
HERE = Path(__file__).parent


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="memory in use is asked of glibc")
@pytest.mark.parametrize("part", parts(PARTS, short=0, all_runs=1))
def test_calls_keep_no_memory(part: int) -> None:
    names = hostile.overloads()[part::PARTS]
    environment = {**os.environ, "PYTHONMALLOC": "malloc", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(HERE / "leaks.py"), *names]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[-6]) == len(names) > 1500 / PARTS, "not all overloads were called"


def test_a_leak_is_noticed() -> None:
    script = "import leaks; kept = []; print(leaks.growth(lambda: kept.append(object())))"
    environment = {**os.environ, "PYTHONMALLOC": "malloc"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, cwd=HERE, capture_output=True, text=True, check=True)
    assert int(done.stdout) >= 24
