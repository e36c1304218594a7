"""The programs a build runs, found once and named in one message where they are missing."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys
from pathlib import Path


class ToolchainError(Exception):
    """A program is missing, or one of them failed; the message says what to do."""


@dataclasses.dataclass(frozen=True, slots=True)
class Toolchain:
    cmake: str
    ninja: str
    cxx: str
    nvcc: str | None

    @classmethod
    def find(cls, backend: str) -> Toolchain:
        """`backend` is auto, cpu or cuda: auto takes CUDA where nvcc is found, cuda insists on it."""
        missing = []
        cmake, ninja = _program("cmake"), _program("ninja")
        wanted = os.environ.get("CXX")
        cxx = next(filter(None, map(shutil.which, [wanted] if wanted else ["c++", "g++", "clang++"])), None)
        if not cmake:
            missing.append("cmake (pip install cmake)")
        if not ninja:
            missing.append("ninja (pip install ninja)")
        if not cxx:
            what = f"the C++ compiler that CXX names, {wanted}" if wanted else "a C++20 compiler"
            missing.append(f"{what} (set CXX, or install g++ 12 or clang 15)")
        nvcc = None if backend == "cpu" else _nvcc()
        if backend == "cuda" and not nvcc:
            missing.append("nvcc (set CUDACXX, or use --backend cpu)")
        if missing:
            raise ToolchainError("not found: " + "; ".join(missing))
        return cls(str(cmake), str(ninja), str(cxx), nvcc)


def _program(name: str) -> str | None:
    """The one of this Python environment before that of PATH."""
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.is_file() else shutil.which(name)


def _nvcc() -> str | None:
    for candidate in (os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if candidate and Path(candidate).is_file():
            return candidate
    return None
