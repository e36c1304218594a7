"""The C++ compiler, for tests that only see whether something compiles."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from scripts import executable

# Where the compiler is ccache, builds in other temporary folders share its results.
CACHE = {
    "CCACHE_COMMENTS": "1",
    "CCACHE_NOHASHDIR": "1",
    "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime",
}
# Each call's CPU seconds, its peak memory in KiB and whether it compiled a file go to `log`.
PROGRAM = """\
import os, resource, subprocess, sys
os.environ |= {cache}
code = subprocess.run([{compiler!r}, *sys.argv[1:], "-O0"]).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
with open({log!r}, "a") as log:
    print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss, "-c" in sys.argv, file=log)
sys.exit(code)
"""


def host_compiler() -> str:
    given = os.environ.get("CXX")
    found = map(shutil.which, filter(None, (given, "c++", "g++", "clang++")))
    return next(filter(None, found), None) or pytest.skip("needs a C++ compiler")


def unoptimised(folder: Path) -> Path:
    """Writes `folder`/compiler, which calls the compiler with its arguments and -O0: half the time. Libraries
    that other tests run, and users' libraries, are optimised. The log is `folder`/log.
    """
    program = folder / "compiler"
    log = str(folder / "log")
    cache = CACHE | {"CCACHE_BASEDIR": str(folder)}
    executable(program, PROGRAM.format(compiler=host_compiler(), log=log, cache=cache))
    return program


def syntax_errors(folder: Path, file: Path, options: Iterable[str], includes: Iterable[Path]) -> str:
    """Returns what the compiler says of a file that does not compile. It gets paths from `folder` on, so that
    a compile cache knows the same files in another folder.
    """
    command = [host_compiler(), "-std=c++20", "-fsyntax-only", *options]
    command += [f"-I{os.path.relpath(include, folder)}" for include in includes]
    command.append(os.path.relpath(file, folder))
    done = subprocess.run(
        command, cwd=folder, env=os.environ | CACHE, capture_output=True, text=True, check=False
    )
    return (done.stderr or f"exit status {done.returncode}") if done.returncode else ""
