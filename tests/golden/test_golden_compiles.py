"""The generated files of the twelve operators compile, as part of a library that has them beside the base
operators.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import golden
import pytest
from compilers import syntax_errors

ROOT = golden.HERE.parents[1]


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("golden") / "tree"
    command = [
        sys.executable,
        "-m",
        "opgen",
        "generate",
        str(golden.HERE),
        "--name",
        "golden",
        "--out",
        str(out),
    ]
    command += ["--kernels", str(golden.HERE / "functors"), "--missing-kernels", "stub"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


HOST = sorted(p for p in golden.expected() if p.startswith("src/") and p.endswith(".cpp") and "cuda" not in p)


@pytest.mark.slow
@pytest.mark.parametrize("file", HOST)
def test_generated_file_compiles(tree, file):
    flags = ["-Wall", "-Werror", "-Wno-attributes", "-Wno-unknown-pragmas"]
    defines = ["-DC10_BUILDING_LIBRARY", "-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT"]
    includes = [tree / "include" / "golden", tree / "src"]
    assert syntax_errors(tree, tree / file, [*flags, *defines], includes) == ""
