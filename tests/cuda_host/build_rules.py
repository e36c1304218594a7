"""How the emulated device is compiled and linked: the compiler's options, and the rules of ninja's file."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EMULATOR = ROOT / "tools" / "cuda_emulator"
sys.path.append(str(ROOT))  # for the package tools
OUT = ROOT / "build" / "cuda_host"
TREE = OUT / "aten"
# Reports name files from the repository on.
MAPPED = f"-ffile-prefix-map={ROOT}=."
FLAGS = ("-std=c++20", "-fPIC", "-w", "-fvisibility=hidden", "-fno-gnu-unique", "-pthread", MAPPED)
# Every access calls the runtime, whose parts call each other: they are inlined as if they were one file.
RUNTIME_FLAGS = "-fvisibility=default -O3 -g1 -flto -fno-semantic-interposition -ftls-model=initial-exec"
LINKED_RUNTIME = "-O3 -flto -flto-partition=one -fno-semantic-interposition"
# access.cpp has what instrumented code calls, in place of libtsan. Copies of vectors are not taken
# apart: their alignment is checked.
INSTRUMENTED = (
    "-O1 -g1 -fsanitize=thread --param tsan-instrument-func-entry-exit=0 -fno-tree-sra -fno-ipa-sra"
)
PROLOGUE = EMULATOR / "prologue.h"
DEVICE_FLAGS = (*INSTRUMENTED.split(), "-include", str(PROLOGUE))
HOST_FLAGS = "-O1"
INCLUDED = (OUT / "headers", EMULATOR / "include", TREE / "include/aten", TREE / "src")
INCLUDES = ("-DC10_BUILDING_LIBRARY", "-DNDEBUG", *(f"-I{folder}" for folder in INCLUDED))
WRAPPED = ("-Wl,--wrap=memcpy", "-Wl,--wrap=memset")


class Ninja:
    """The text of a build.ninja, which runs in the repository: its paths begin there, so that clones share a
    compile cache.
    """

    def __init__(self, package: Path) -> None:
        self.lines = [f"builddir = {OUT}", f"cxx = {os.environ.get('CXX', 'g++')}"]
        self.lines += [f"flags = {shlex.join(FLAGS)}", f"includes = {shlex.join(INCLUDES)}"]
        self._rule("translate", f"{shlex.quote(sys.executable)} {EMULATOR}/translate.py $in $out $name")
        self.lines.append("  restat = 1")
        library = f"-I{EMULATOR}/include"
        self._compile("runtime", RUNTIME_FLAGS, library)
        self._compile("host_alone", HOST_FLAGS, "$includes")
        self._compile("device_alone", f"{shlex.join(DEVICE_FLAGS)} -x c++", "$includes")
        for how, options in (("device", INSTRUMENTED), ("host", HOST_FLAGS)):
            self._compile(how, f"{options} -include {precompiled(how)} -x c++", "$includes")
            self._compile(f"precompile_{how}", f"{options} -x c++-header", "$includes")
        self._compile("alone", INSTRUMENTED, library)
        runtime = f"{' '.join(WRAPPED)} -L{OUT} -lcuda_emulator -Wl,-rpath,'$$ORIGIN'"
        self._rule("program", f"$cxx $in -o $out {runtime}")
        self._rule("linked", "$cxx $in -o $out -L$folder -laten -Wl,-rpath,'$$ORIGIN/exact/aten/lib'")
        self._rule("library", "$cxx -shared $in -o $out -Wl,-z,defs -Wl,-soname,$name $libraries -ldl")
        self.cuda = shlex.join(link_flags(package, "$ORIGIN/../../..")).replace("$", "$$")

    def _rule(self, name: str, command: str) -> None:
        self.lines += [f"rule {name}", f"  command = {command}"]

    def _compile(self, name: str, options: str, includes: str) -> None:
        self._rule(name, f"$cxx $flags {options} {includes} -MMD -MF $out.d -c $in -o $out")
        self.lines.append("  depfile = $out.d")

    def build(self, output: Path, how: str, inputs: str, **values: str) -> str:
        self.lines += [f"build {output}: {how} {inputs}", *(f"  {k} = {v}" for k, v in values.items())]
        return str(output)

    def library(self, output: Path, inputs: str, libraries: str) -> str:
        return self.build(output, "library", inputs, name=output.name, libraries=libraries)

    def write(self, file: Path) -> None:
        file.write_text("\n".join(self.lines).replace(f"{ROOT}/", "") + "\n")


def precompiled(how: str) -> Path:
    return OUT / "precompiled" / f"{how}.h"


def link_flags(package: Path, emulator: str = str(OUT)) -> list[str]:
    """Of libaten_cuda.so, which lies beside libaten.so, and finds the runtime in the folder `emulator`."""
    libraries = [f"-L{package / 'lib'}", "-laten", f"-L{OUT}", "-lcuda_emulator"]
    found = ["-Wl,-rpath,$ORIGIN", f"-Wl,-rpath,{emulator}"]
    return [*WRAPPED, "-Wl,-Bsymbolic", "-Wl,-z,nodelete", *libraries, *found]
