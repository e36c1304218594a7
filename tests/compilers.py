"""A replacement for the C++ compiler in tests that build a library only to see that the build works."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

# Where the compiler is ccache, builds in other temporary folders share its results.
CACHE = {
    "CCACHE_NOHASHDIR": "1",
    "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime",
}
# Each call's CPU seconds, its peak memory in KiB and whether it compiled a file go to `log`.
PROGRAM = """#!{python}
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
    return next(filter(None, map(shutil.which, filter(None, (given, "c++", "g++", "clang++")))))


def unoptimised(folder: Path) -> Path:
    """Writes `folder`/compiler, which calls the compiler with its arguments and -O0: half the time. Libraries
    that other tests run, and users' libraries, are optimised. The log is `folder`/log.
    """
    program = folder / "compiler"
    log = str(folder / "log")
    cache = CACHE | {"CCACHE_BASEDIR": str(folder)}
    program.write_text(PROGRAM.format(python=sys.executable, compiler=host_compiler(), log=log, cache=cache))
    program.chmod(0o755)
    return program
