"""The programs a build runs, found once; one message names all that are missing."""

from __future__ import annotations

import dataclasses
import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

# Compiler launchers: caches, and those that distribute the work to other machines.
LAUNCHERS = ("ccache", "sccache", "distcc", "icecc")
# What --launcher takes beside them: ccache where it is installed; no launcher.
AUTO, NONE = "auto", "none"
_OF_NVCC = ("ccache", "sccache")  # the others don't know its options
# Without the first two ccache skips every file that is compiled with a precompiled header, without the others
# one whose headers are as new as its own start.
_SLOPPINESS = "pch_defines,time_macros,include_file_mtime,include_file_ctime"
_EXTRA = (
    "install opgen with its extra 'build': pip install '.[build]' in a clone, or 'opgen-VERSION.whl[build]';"
    " or install them by other means"
)


class ToolchainError(Exception):
    """A program is missing or failed; the message says what to do."""


@dataclasses.dataclass(frozen=True, slots=True)
class Toolchain:
    """`launchers` are put before the compilers, in this order; with `alone`, CMake's variables name none."""

    cmake: str
    ninja: str
    cxx: str
    nvcc: str | None
    launchers: tuple[str, ...] = ()
    alone: bool = False

    @classmethod
    def find(cls, backend: str, launcher: str | None = None) -> Toolchain:
        """Finds the programs. `backend` is auto, cpu or cuda: auto uses CUDA where nvcc is found, cuda
        requires it. `launcher` is one of LAUNCHERS, AUTO or NONE; others may be in CXX before the compiler.
        """
        missing = []
        cmake, ninja = _program("cmake"), _program("ninja")
        before, wanted = _split(os.environ.get("CXX", ""))
        cxx = next(filter(None, map(shutil.which, [wanted] if wanted else ["c++", "g++", "clang++"])), None)
        asked = [launcher] if launcher in LAUNCHERS else []
        if launcher == AUTO and not before and cxx and _finds_ccache(cxx):
            asked = ["ccache"]
        launchers = [] if launcher == NONE else list(dict.fromkeys([*asked, *before]))
        missing += [f"{name} (install it, or build without)" for name in launchers if not shutil.which(name)]
        tools = [name for name, found in (("cmake", cmake), ("ninja", ninja)) if not found]
        if tools:
            missing.append(f"{' and '.join(tools)} ({_EXTRA})")
        if not cxx:
            what = f"the C++ compiler that CXX names, {wanted}" if wanted else "a C++20 compiler"
            missing.append(f"{what} (set CXX, or install g++ 12 or clang 15)")
        nvcc = None if backend == "cpu" else find_nvcc()
        if backend == "cuda" and not nvcc:
            missing.append("nvcc (set CUDACXX, or use --backend cpu)")
        if missing:
            raise ToolchainError("not found: " + "; ".join(missing))
        return cls(str(cmake), str(ninja), str(cxx), nvcc, tuple(launchers), launcher == NONE)

    @property
    def compilers(self) -> str:
        """Describes the tools in use, for messages."""
        text = f"{self.cxx} and {self.nvcc}" if self.nvcc else self.cxx
        return f"{text} through {' and '.join(self.launchers)}" if self.launchers else text

    def launchers_of(self, language: str) -> str:
        """Returns the value of CMake's CMAKE_<LANG>_COMPILER_LAUNCHER; the environment variable's where no
        launcher was asked for.
        """
        usable = [name for name in self.launchers if language != "CUDA" or name in _OF_NVCC]
        found = ";".join(str(shutil.which(name)) for name in usable)
        return found or ("" if self.alone else os.environ.get(f"CMAKE_{language}_COMPILER_LAUNCHER", ""))

    @property
    def precompiles_headers(self) -> bool:
        """Whether to use precompiled headers: launchers other than ccache share or send source text."""
        return all(name == "ccache" for name in self.launchers)

    @property
    def environment(self) -> dict[str, str]:
        """Returns the environment of a build's processes; variables that are already set are kept."""
        return {**(_ccache_settings() if "ccache" in self.launchers else {}), **os.environ}


def _ccache_settings() -> dict[str, str]:
    """Paths below the current folder are relative to it, so that clones and build folders share results;
    what compilers print names files by their whole paths all the same. Comments count as changes: g++ knows a
    precompiled `#pragma once` header again by its bytes, and would read one with another comment twice.
    """
    return {
        "CCACHE_SLOPPINESS": _SLOPPINESS,
        "CCACHE_COMMENTS": "1",
        "CCACHE_BASEDIR": str(Path.cwd()),
        "CCACHE_ABSSTDERR": "1",
    }


def _finds_ccache(cxx: str) -> bool:
    """Whether ccache is installed and can write its cache; not where the compiler is one of its links, or
    CMake's variable names another launcher.
    """
    program = shutil.which("ccache")
    if not program or Path(cxx).resolve().name == "ccache" or os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER"):
        return False
    done = subprocess.run([program, "-k", "cache_dir"], capture_output=True, text=True, check=False)
    folder = Path(done.stdout.strip() or "/")
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return done.returncode == 0 and there.is_dir() and os.access(there, os.W_OK)


def _split(text: str) -> tuple[list[str], str]:
    """Splits CXX, as in "ccache g++", into launchers and compiler; a path may contain spaces."""
    words = [text] if shutil.which(text) else text.split()
    before = list(itertools.takewhile(lambda word: Path(word).name in LAUNCHERS, words))
    rest = words[len(before) :]
    if len(rest) > 1:
        flags = " ".join(rest[1:])
        raise ToolchainError(
            f"CXX is '{text}': it may name launchers and a compiler; put {flags} into CXXFLAGS"
        )
    return [Path(word).name for word in before], rest[0] if rest else text if not before else ""


def _program(name: str) -> str | None:
    """Finds a program; prefers this Python environment's to that of PATH."""
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.is_file() else shutil.which(name)


def find_nvcc() -> str | None:
    for candidate in (os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if candidate and Path(candidate).is_file():
            return candidate
    return None
