"""Running CMake and Ninja on a tree, with progress, and turning what they say into messages about
operators.
"""

from __future__ import annotations

import dataclasses
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from opgen.build import guard
from opgen.build.toolchain import Toolchain, ToolchainError
from opgen.diagnostics import visible

_STEP = re.compile(r"\[(\d+)/(\d+)\] ")


@dataclasses.dataclass(frozen=True, slots=True)
class BuildOptions:
    jobs: int | None = None
    build_type: str = "Release"
    python: bool = True
    cuda_architectures: str = ""
    cpu_capabilities: str = ""  # as CMake's lists are; empty: all of them


class Progress:
    """One line that moves on a terminal; a plain line every few seconds elsewhere."""

    def __init__(self, quiet: bool = False):
        self._terminal = sys.stderr.isatty()
        self._quiet = quiet
        self._last = 0.0

    def say(self, text: str) -> None:
        if not self._quiet:
            self._clear()
            print(visible(text), file=sys.stderr, flush=True)

    def step(self, done: int, total: int, text: str) -> None:
        now = time.monotonic()
        if self._quiet or (not self._terminal and now - self._last < 10 and done != total):
            return
        self._last = now
        line = visible(f"  [{done}/{total}] {text}")
        if self._terminal:
            print("\r\x1b[K" + line[:110], end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._terminal:
            print("\r\x1b[K", end="", file=sys.stderr)


def configure(
    tree: Path, build: Path, tools: Toolchain, options: BuildOptions, prefixes: Sequence[Path] = ()
) -> None:
    command = [
        tools.cmake,
        "-S",
        str(tree),
        "-B",
        str(build),
        "-G",
        "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={tools.ninja}",
    ]
    command += [
        f"-DCMAKE_CXX_COMPILER={tools.cxx}",
        f"-DCMAKE_BUILD_TYPE={options.build_type}",
        f"-DCPU_CAPABILITIES={options.cpu_capabilities}",
        "-DCMAKE_INSTALL_LIBDIR=lib",
    ]
    if not (build / "build.ninja").is_file() and (build / "CMakeCache.txt").exists():
        command.append("--fresh")  # one that was killed may have left half of what it found out
    command += [f"-DBUILD_PYTHON={_on(options.python)}"]
    command += [f"-DBUILD_CUDA={_on(bool(tools.nvcc))}"]
    if tools.nvcc:
        command.append(f"-DCMAKE_CUDA_COMPILER={tools.nvcc}")
        if options.cuda_architectures:
            command.append(f"-DCMAKE_CUDA_ARCHITECTURES={options.cuda_architectures}")
    if options.python:
        command.append(f"-DPython3_EXECUTABLE={sys.executable}")
    if prefixes:
        command.append("-DCMAKE_PREFIX_PATH=" + ";".join(map(str, prefixes)))
    code, output = _stream(command, lambda line: None)
    if code:
        raise ToolchainError("cmake could not configure the build:\n" + output[-6000:])


def compile_tree(build: Path, tools: Toolchain, options: BuildOptions, progress: Progress) -> int:
    """Compiles what is out of date; the number of build steps that ran."""
    command = [tools.cmake, "--build", str(build)]
    if options.jobs:
        command += ["-j", str(options.jobs)]
    ran = 0

    def on_line(line: str) -> None:
        nonlocal ran
        if step := _STEP.match(line):
            ran = int(step[1])
            progress.step(ran, int(step[2]), line[step.end() :].split("/")[-1])

    code, output = _stream(command, on_line)
    if code:
        raise ToolchainError(failure(output))
    return ran


def install(build: Path, prefix: Path, tools: Toolchain) -> None:
    code, output = _stream(
        [tools.cmake, "--install", str(build), "--prefix", str(prefix), "--strip"], lambda line: None
    )
    if code:
        raise ToolchainError("cmake could not install the build:\n" + output[-4000:])


def failure(output: str) -> str:
    """The part of Ninja's output that matters: from the first failed step to the next one."""
    lines = output.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("FAILED:")), max(0, len(lines) - 60))
    kept = [line for line in lines[first : first + 120] if not _STEP.match(line)]
    return "the compiler failed:\n" + "\n".join(kept)


def _on(flag: bool) -> str:
    return "ON" if flag else "OFF"


def _stream(command: Sequence[str], on_line: Callable[[str], None]) -> tuple[int, str]:
    """Runs `command` and hands its lines on as they come. What it starts ends with this process, however that
    ends, and locks that are inheritable are held until then.
    """
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", guard.__file__, str(os.getpid()), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        close_fds=False,
    )
    lines: list[str] = []
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            on_line(line.rstrip())
        return process.wait(), "".join(lines)
    except BaseException:
        process.terminate()
        process.wait()
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt
