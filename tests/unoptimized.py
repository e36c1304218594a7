"""A compiler for libraries that tests build only to see that they can be: the one that other tests run is
optimised, which takes far longer."""

from __future__ import annotations

import shutil
from pathlib import Path

SCRIPT = """#!/bin/sh
exec {compiler} "$@" {level}
"""


def compiler(folder: Path, level: str = "-O0") -> Path:
    """A program in `folder` that is a C++ compiler; CMake and opgen take it by the variable CXX.

    From -O1 on results are those of the optimised library, bit by bit: products and sums are contracted.
    """
    real = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))))
    made = folder / "compiler"
    made.write_text(SCRIPT.format(compiler=real, level=level))
    made.chmod(0o755)
    return made
