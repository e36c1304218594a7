"""Running CMake and Ninja on a tree, with progress; their output becomes messages about operators."""

from __future__ import annotations

import dataclasses
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from opgen.build import compiler_errors, guard
from opgen.build.progress import Progress
from opgen.build.toolchain import Toolchain, ToolchainError


@dataclasses.dataclass(frozen=True, slots=True)
class BuildOptions:
    jobs: int | None = None
    build_type: str = "Release"
    python: bool = True
    cuda_architectures: str = ""
    cpu_capabilities: str = ""  # a CMake list; empty means all capabilities
    timings: bool = False  # report the longest steps


def configure(
    tree: Path,
    build: Path,
    tools: Toolchain,
    options: BuildOptions,
    prefixes: Sequence[Path] = (),
    sources: Path | None = None,
) -> None:
    """Configures the build. `prefixes` are where CMake finds other libraries; `sources` is the folder whose
    hand-written files are compiled in place, instead of their copies in the tree.
    """
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
        f"-DSOURCES_IN={sources or ''}",
        "-DCMAKE_INSTALL_LIBDIR=lib",
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        f"-DCMAKE_CXX_COMPILER_LAUNCHER={tools.launchers_of('CXX')}",
        f"-DCMAKE_DISABLE_PRECOMPILE_HEADERS={_on(not tools.precompiles_headers)}",
    ]
    if _starts_afresh(build, tools):
        command.append("--fresh")
    command += [f"-DBUILD_PYTHON={_on(options.python)}"]
    command += [f"-DBUILD_CUDA={_on(bool(tools.nvcc))}"]
    if tools.nvcc:
        command.append(f"-DCMAKE_CUDA_COMPILER={tools.nvcc}")
        command.append(f"-DCMAKE_CUDA_COMPILER_LAUNCHER={tools.launchers_of('CUDA')}")
        if options.cuda_architectures:
            command.append(f"-DCMAKE_CUDA_ARCHITECTURES={options.cuda_architectures}")
    if options.python:
        command.append(f"-DPython3_EXECUTABLE={sys.executable}")
    if prefixes:
        command.append("-DCMAKE_PREFIX_PATH=" + ";".join(map(str, prefixes)))
    code, output = _stream(command, lambda line: None)
    if code:
        raise ToolchainError("cmake could not configure the build:\n" + output[-6000:])


def _starts_afresh(build: Path, tools: Toolchain) -> bool:
    """Whether CMake's earlier results have to go: a killed run may have left some, and where the compiler
    has changed, CMake deletes its cache halfway, with the options that it was just given.
    """
    cache = build / "CMakeCache.txt"
    if not cache.is_file():
        return False
    before = dict(
        re.findall(r"^CMAKE_(\w+)_COMPILER:\w+=(.*)$", cache.read_text(errors="replace"), re.MULTILINE)
    )
    compilers = {"CXX": tools.cxx, "CUDA": tools.nvcc}
    changed = any(
        now and language in before and before[language] != now for language, now in compilers.items()
    )
    return changed or not (build / "build.ninja").is_file()


def compile_tree(
    build: Path, tools: Toolchain, options: BuildOptions, progress: Progress, heed: Callable[[str], None]
) -> int:
    """Compiles what is out of date; returns the number of build steps that ran. `heed` gets the output of
    each step that did not fail.
    """
    command = [tools.cmake, "--build", str(build)]
    if options.jobs:
        command += ["-j", str(options.jobs)]
    if progress.verbose:
        command.append("-v")
    ran = 0
    printed: list[str] = []

    def on_line(line: str) -> None:
        nonlocal ran
        if progress.verbose:
            progress.say(line)
        step = compiler_errors.STEP.match(line)
        if step is None:
            printed.append(line)
            return
        ran = int(step[1])
        _end_step(printed, heed)
        progress.step(ran, int(step[2]), line[step.end() :].split("/")[-1])

    code, output = _stream(command, on_line, tools.environment)
    _end_step(printed, heed)
    if code:
        raise ToolchainError(compiler_errors.failure(output, progress.verbose))
    return ran


def _end_step(printed: list[str], heed: Callable[[str], None]) -> None:
    if printed and not printed[0].startswith(compiler_errors.FAILED):
        heed("\n".join(printed))
    printed.clear()


def install(build: Path, prefix: Path, tools: Toolchain) -> None:
    code, output = _stream(
        [tools.cmake, "--install", str(build), "--prefix", str(prefix), "--strip"], lambda line: None
    )
    if code:
        raise ToolchainError("cmake could not install the build:\n" + output[-4000:])


def _on(flag: bool) -> str:
    return "ON" if flag else "OFF"


def _stream(
    command: Sequence[str], on_line: Callable[[str], None], environment: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Runs `command` and passes its lines on as they arrive. Its processes end with this one, however that
    ends, and hold inheritable locks until then.
    """
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", guard.__file__, str(os.getpid()), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        close_fds=False,
        env=environment,
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
