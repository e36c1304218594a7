"""The generated files of the twelve operators compile, as part of a library that has them beside the base
operators.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import golden
import pytest

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
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-Wno-attributes", "-Wno-unknown-pragmas"]
    defines = ["-DC10_BUILDING_LIBRARY", "-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT"]
    includes = [f"-I{tree}/include/golden", f"-I{tree}/src"]
    command = [compiler, *flags, *defines, *includes, str(tree / file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
