"""Builds the CUDA library for the emulated device: python tests/cuda_host/host_build.py [--package DIR]

Generates the tree with CUDA's sources, compiles them with g++, and puts two packages together in
build/cuda_host: exact/, whose tensors have allocations of their own, and caching/, with the real allocator.
What is not CUDA's is that of PACKAGE, a package built of the same sources; by default the installed one.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import translate

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "build" / "cuda_host"
TREE = OUT / "aten"
PROGRAM = OUT / "test_gpu"  # the program of tests/gpu
INSIDE = "ATen/native/cuda"
# Limits of the grid in headers of cuda/, and what stands for them where blocks take several rounds of a loop.
SHORT_LOOPS = {
    "Launch.h": ("int64_t{1} << 20", "int64_t{2}"),
    "Reduce.cuh": ("int64_t{1} << 30", "int64_t{2}"),
}
RUNTIME = ("access", "blocks", "launch", "math", "memory", "report", "streams", "tiles", "traffic")
FLAGS = f"-std=c++20 -fPIC -w -fvisibility=hidden -fno-gnu-unique -pthread -ffile-prefix-map={ROOT}=."
# Every access calls the runtime, whose parts call each other: they are inlined as if they were one file.
RUNTIME_FLAGS = "-fvisibility=default -O3 -g1 -flto -fno-semantic-interposition -ftls-model=initial-exec"
LINKED_RUNTIME = "-O3 -flto -flto-partition=one -fno-semantic-interposition"
# emulator/access.cpp has what instrumented code calls, in place of libtsan. Copies of vectors are not taken
# apart: their alignment is checked.
INSTRUMENTED = (
    "-O1 -g1 -fsanitize=thread --param tsan-instrument-func-entry-exit=0 -fno-tree-sra -fno-ipa-sra"
)
PROLOGUE = f"{HERE}/emulator/prologue.h"
DEVICE_FLAGS = f"{INSTRUMENTED} -include {PROLOGUE}"
HOST_FLAGS = "-O1"
# What most sources include, compiled once: parsing it takes as long as the rest of a short one. Sources for
# the device get PROLOGUE first, so the two differ.
COMMON_HEADERS = ("ATen/Dispatch.h", "ATen/Dispatch_v2.h", "ATen/TensorIterator.h", "ATen/core/Tensor.h")
PRECOMPILED = {
    "device": (PROLOGUE, "ATen/native/cuda/Loops.cuh", *COMMON_HEADERS),
    "host": COMMON_HEADERS,
}
WRAPPED = "-Wl,--wrap=memcpy -Wl,--wrap=memset"
INCLUDES = (
    "-DC10_BUILDING_LIBRARY -DNDEBUG "
    f"-I{OUT}/headers -I{HERE}/emulator/include -I{TREE}/include/aten -I{TREE}/src"
)
# Packages: with the allocator of the name, and with loops of few blocks, which is built when it is asked for.
KINDS = ("exact", "caching", "short_loops")
PROGRAMS = ("faults", "traffic")
# Objects that are not linked into libaten_cuda.so.
ALONE = ("cublas.o", "cublas_lt.o", "test_gpu.o", *(f"{stem}.o" for stem in PROGRAMS))


class Ninja:
    """The text of a build.ninja."""

    def __init__(self, package: Path) -> None:
        compiler = os.environ.get("CXX", "g++")
        library = f"-I{HERE}/emulator/include"
        self.lines = [f"cxx = {compiler}", f"flags = {FLAGS}", f"includes = {INCLUDES}"]
        self.lines += rule("translate", f"{sys.executable} {HERE}/translate.py $in $out $name")
        self.lines.append("  restat = 1")
        depends = "-MMD -MF $out.d -c $in -o $out"
        self.lines += rule("runtime", f"$cxx $flags {RUNTIME_FLAGS} {library} {depends}", dep="$out.d")
        alone = f"$cxx $flags {HOST_FLAGS} $includes {depends}"
        self.lines += rule("host_alone", alone, dep="$out.d")
        alone = f"$cxx $flags {DEVICE_FLAGS} $includes -x c++ {depends}"
        self.lines += rule("device_alone", alone, dep="$out.d")
        for how, options in (("device", INSTRUMENTED), ("host", HOST_FLAGS)):
            command = f"$cxx $flags {options} {{}} $includes {depends}"
            first = f"-include {precompiled(how)} -x c++"
            self.lines += rule(how, command.format(first), dep="$out.d")
            self.lines += rule(f"precompile_{how}", command.format("-x c++-header"), dep="$out.d")
        self.lines += rule("alone", f"$cxx $flags {INSTRUMENTED} {library} {depends}", dep="$out.d")
        runtime = f"{WRAPPED} -L{OUT} -lcuda_emulator -Wl,-rpath,{OUT}"
        self.lines += rule("program", f"$cxx $in -o $out {runtime}")
        self.lines += rule("linked", "$cxx $in -o $out -L$folder -laten -Wl,-rpath,$folder")
        self.lines += rule(
            "library", "$cxx -shared $in -o $out -Wl,-z,defs -Wl,-soname,$name $libraries -ldl"
        )
        self.cuda = link_flags(package).replace("$ORIGIN", "'$$ORIGIN'")

    def build(self, output: Path, how: str, inputs: str, **values: str) -> str:
        self.lines += [f"build {output}: {how} {inputs}", *(f"  {k} = {v}" for k, v in values.items())]
        return str(output)

    def library(self, output: Path, inputs: str, libraries: str) -> str:
        return self.build(output, "library", inputs, name=output.name, libraries=libraries)


def precompiled(how: str) -> Path:
    return OUT / "precompiled" / f"{how}.h"


def precompile(ninja: Ninja, first: str) -> str:
    """Compiles PRECOMPILED; what includes one of these depends on it, and with it on the headers inside."""
    made = []
    for how, headers in PRECOMPILED.items():
        names = (f'"{name}"' if name.startswith("/") else f"<{name}>" for name in headers)
        translate.write_if_changed("".join(f"#include {name}\n" for name in names), precompiled(how))
        target = precompiled(how).with_suffix(".h.gch")
        made.append(ninja.build(target, f"precompile_{how}", f"{precompiled(how)} || {first}"))
    return " ".join(made)


def link_flags(package: Path) -> str:
    """Of libaten_cuda.so, which lies beside libaten.so."""
    return (
        f"{WRAPPED} -Wl,-Bsymbolic -Wl,-z,nodelete -L{package / 'lib'} -laten -L{OUT} -lcuda_emulator "
        f"-Wl,-rpath,$ORIGIN -Wl,-rpath,{OUT}"
    )


def rule(name: str, command: str, dep: str = "") -> list[str]:
    return [f"rule {name}", f"  command = {command}", *([f"  depfile = {dep}"] if dep else [])]


def sources() -> list[str]:
    """Of the CUDA library, as the tree's CMake files list them."""
    listed = re.search(r"set\(SOURCES_CUDA\n(.*?)\)", (TREE / "cmake/library.cmake").read_text(), re.DOTALL)
    if listed is None:
        sys.exit(f"cuda_host: {TREE} has no list of CUDA's sources")
    return listed[1].split()


def headers(ninja: Ninja, names: dict[str, str]) -> str:
    """Translated copies of the .cuh files, in front of the tree's."""
    folder, made = TREE / "include/aten", []
    for header in sorted(folder.rglob("*.cuh")):
        inside = header.relative_to(TREE)
        target = OUT / "headers" / header.relative_to(folder)
        made.append(
            ninja.build(target, "translate", f"{header} | {HERE}/translate.py", name=names[str(inside)])
        )
    return " ".join(made)


def with_short_loops(name: str, text: str) -> str:
    """A header of cuda/ with the limit of its grids replaced."""
    limit, instead = SHORT_LOOPS[name]
    if limit not in text:
        sys.exit(f"cuda_host: cuda/{name} has no {limit}: SHORT_LOOPS names another limit of its grids")
    return text.replace(limit, instead)


@cache
def has_limited_grid(source: Path) -> bool:
    """Whether it, or a header of kernels that it includes, launches with a limit of SHORT_LOOPS."""
    text = source.read_text()
    if "blocks_for(" in text or any(limit in text for limit, _ in SHORT_LOOPS.values()):
        return True
    included = re.findall(rf"#include <({INSIDE}/[\w/]+\.cuh)>", text)
    return any(has_limited_grid(TREE / "include/aten" / header) for header in included)


def short_objects(ninja: Ninja, first: str, made: dict[str, str]) -> list[str]:
    """Of the same sources, compiled with short loops: the headers in front of the others say so."""
    folder = OUT / "short_loops"
    for name in SHORT_LOOPS:
        text = with_short_loops(name, (ROOT / "cuda" / name).read_text())
        translate.write(text, folder / "headers" / INSIDE / name, f"cuda/{name}")
    found = []
    for source, usual in made.items():
        cpp = OUT / "translated" / f"{Path(usual).stem}.cpp"
        if source.endswith(".cu") and has_limited_grid(TREE / source):
            needed = f"{cpp} | {HERE}/emulator/prologue.h || {first}"
            object_file = folder / "objects" / Path(usual).name
            usual = ninja.build(
                object_file, "device_alone", needed, includes=f"-I{folder / 'headers'} {INCLUDES}"
            )
        found.append(usual)
    return found


def translated_name(source: str) -> str:
    return source.removeprefix("src/").replace("/", "_")


def translated_files() -> list[Path]:
    """Of the CUDA library: what stands for its sources and headers."""
    found = [OUT / "translated" / f"{translated_name(s)}.cpp" for s in sources() if s.endswith(".cu")]
    folder = TREE / "include/aten"
    return found + [OUT / "headers" / header.relative_to(folder) for header in folder.rglob("*.cuh")]


def objects(ninja: Ninja, compiled: str, names: dict[str, str]) -> dict[str, str]:
    """The object of each source."""
    found = {}
    for source in sources():
        flat, place = translated_name(source), TREE / source
        object_file = OUT / "objects" / f"{flat}.o"
        if source.endswith(".cu"):
            name = names.get(source, source)
            cpp = ninja.build(
                OUT / "translated" / f"{flat}.cpp", "translate", f"{place} | {HERE}/translate.py", name=name
            )
            found[source] = ninja.build(object_file, "device", f"{cpp} | {compiled}")
        else:
            found[source] = ninja.build(object_file, "host", f"{place} | {compiled}")
    return found


def program(ninja: Ninja, stem: str, runtime: str) -> None:
    """Kernels of the emulator's own tests."""
    name = f"tests/cuda_host/{stem}.cu"
    cpp = ninja.build(
        OUT / f"translated/{stem}.cpp", "translate", f"{ROOT / name} | {HERE}/translate.py", name=name
    )
    made = ninja.build(OUT / f"objects/{stem}.o", "alone", cpp)
    ninja.build(OUT / stem, "program", f"{made} | {runtime}")


def cpp_program(ninja: Ninja, libraries: str, first: str) -> None:
    """tests/gpu, linked to the package whose tensors have allocations of their own."""
    library = OUT / "exact" / "aten" / "lib"
    made = ninja.build(
        OUT / "objects/test_gpu.o",
        "host_alone",
        f"{ROOT}/tests/gpu/test_gpu.cpp || {first}",
        includes=f"-I{TREE}/include/aten",
    )
    ninja.build(PROGRAM, "linked", f"{made} | {libraries}", folder=str(library))


def stand_in(ninja: Ninja, source: str, name: str, runtime: str) -> Path:
    """For a library that libaten_cuda.so loads by its name."""
    made = ninja.build(
        OUT / f"objects/{source}.o", "host_alone", f"{HERE}/emulator/{source}.cpp", flags=f"{FLAGS} -O2"
    )
    file = OUT / f"cublas/lib{name}.so.13"
    link = f"-L{OUT} -lcuda_emulator -Wl,-rpath,{OUT}"
    ninja.library(file, f"{made} | {runtime}", link)
    return file


def write_ninja(package: Path) -> None:
    names = json.loads((TREE / "sources.json").read_text())["files"]
    ninja = Ninja(package)
    parts = [
        ninja.build(OUT / "objects" / f"emulator_{part}.o", "runtime", f"{HERE}/emulator/{part}.cpp")
        for part in RUNTIME
    ]
    runtime = ninja.library(OUT / "libcuda_emulator.so", " ".join(parts), LINKED_RUNTIME)
    for stem in PROGRAMS:
        program(ninja, stem, runtime)
    first = headers(ninja, names)
    made = objects(ninja, precompile(ninja, first), names)
    exact = ninja.build(
        OUT / "objects/exact_allocator.o", "host_alone", f"{HERE}/emulator/exact_allocator.cpp || {first}"
    )
    short = short_objects(ninja, first, {s: o for s, o in made.items() if "CUDACachingAllocator" not in s})
    others = [o for source, o in made.items() if "CUDACachingAllocator" not in source]
    inputs = {"exact": [*others, exact], "caching": [*made.values()], "short_loops": [*short, exact]}
    for kind in KINDS:
        target = OUT / kind / "aten/lib/libaten_cuda.so"
        ninja.library(target, f"{' '.join(inputs[kind])} | {runtime}", ninja.cuda)
    usual = [OUT / kind / "aten/lib/libaten_cuda.so" for kind in KINDS if kind != "short_loops"]
    cpp_program(ninja, str(OUT / "exact/aten/lib/libaten_cuda.so"), first)
    libraries = [
        stand_in(ninja, *names, runtime) for names in (("cublas", "cublas"), ("cublas_lt", "cublasLt"))
    ]
    usual += [*(OUT / stem for stem in PROGRAMS), *libraries, PROGRAM]
    ninja.lines += [f"build usual: phony {' '.join(map(str, usual))}", "default usual"]
    ninja.lines.append(f"build short_loops: phony {OUT}/short_loops/aten/lib/libaten_cuda.so")
    (OUT / "build.ninja").write_text("\n".join(ninja.lines) + "\n")


def assemble(package: Path, kind: str) -> None:
    """The files of PACKAGE in a folder where its libraries find libaten_cuda.so beside them."""
    target = OUT / kind / "aten"
    for file in package.rglob("*"):
        inside = target / file.relative_to(package)
        if file.is_dir() or "__pycache__" in file.parts or "include" in file.relative_to(package).parts[:1]:
            continue
        if file.name == "libaten_cuda.so" or (
            inside.exists() and inside.stat().st_mtime >= file.stat().st_mtime
        ):
            continue
        inside.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, inside)


def installed() -> Path:
    found = importlib.util.find_spec("aten")
    if found is None or found.origin is None:
        sys.exit("cuda_host: no package aten is installed; `make build` installs it")
    return Path(found.origin).parent


def build(package: Path, jobs: int, targets: Sequence[str] = ()) -> None:
    package = package.resolve()
    OUT.mkdir(parents=True, exist_ok=True)
    generate = [sys.executable, "-m", "opgen", "generate", ROOT / "schemas", "--out", TREE]
    generate += ["--backend", "cuda"]
    subprocess.run(generate, check=True, stdout=subprocess.DEVNULL)
    write_ninja(package)
    for kind in KINDS:
        assemble(package, kind)
    ninja = shutil.which("ninja", path=str(Path(sys.executable).parent)) or "ninja"
    subprocess.run([ninja, "-C", OUT, "-j", str(jobs), "--quiet", *targets], check=True)


def targets(short_loops: bool) -> list[str]:
    """Of ninja; none of them means the usual ones."""
    return ["usual", "short_loops"] if short_loops else []


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--package", type=Path, help="the package aten; default: the installed one")
    parser.add_argument("targets", nargs="*", help="passed on to ninja")
    given = parser.parse_args()
    build(given.package or installed(), given.jobs, given.targets)


if __name__ == "__main__":
    main()
