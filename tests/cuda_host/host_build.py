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
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from build_rules import (
    EMULATOR,
    FLAGS,
    HERE,
    INCLUDES,
    LINKED_RUNTIME,
    OUT,
    PROLOGUE,
    ROOT,
    TREE,
    Ninja,
    precompiled,
)

from tools.cuda_emulator import translate

PROGRAM = OUT / "test_gpu"  # the program of tests/gpu
STREAMS = OUT / "streams.so"  # what programs of streams.py call
INSIDE = "ATen/native/cuda"
# Limits of the grid in headers of cuda/, and what stands for them where blocks take several rounds of a loop.
SHORT_LOOPS = {
    "Launch.h": ("int64_t{1} << 20", "int64_t{2}"),
    "Reduce.cuh": ("int64_t{1} << 30", "int64_t{2}"),
}
RUNTIME = ("access", "blocks", "launch", "math", "memory", "report", "streams", "tiles", "traffic")
# What most sources include, compiled once: parsing it takes as long as the rest of a short one. Sources for
# the device get PROLOGUE first, so the two differ.
COMMON_HEADERS = ("ATen/Dispatch.h", "ATen/Dispatch_v2.h", "ATen/TensorIterator.h", "ATen/core/Tensor.h")
PRECOMPILED = {
    "device": (os.path.relpath(PROLOGUE, OUT / "precompiled"), "ATen/native/cuda/Loops.cuh", *COMMON_HEADERS),
    "host": COMMON_HEADERS,
}
# Packages: with the allocator of the name, and with loops of few blocks, which is built when it is asked for.
KINDS = ("exact", "caching", "short_loops")
PROGRAMS = (EMULATOR / "faults.cu", HERE / "traffic.cu")  # of the emulator's own tests
# Objects that are not linked into libaten_cuda.so.
ALONE = ("cublas.o", "cublas_lt.o", "streams.o", "test_gpu.o", *(f"{file.stem}.o" for file in PROGRAMS))


def precompile(ninja: Ninja, first: str) -> str:
    """Compiles PRECOMPILED; what includes one of these depends on it, and with it on the headers inside."""
    made = []
    for how, headers in PRECOMPILED.items():
        names = (f'"{name}"' if name.startswith("..") else f"<{name}>" for name in headers)
        translate.write_if_changed("".join(f"#include {name}\n" for name in names), precompiled(how))
        target = precompiled(how).with_suffix(".h.gch")
        made.append(ninja.build(target, f"precompile_{how}", f"{precompiled(how)} || {first}"))
    return " ".join(made)


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
            ninja.build(target, "translate", f"{header} | {EMULATOR}/translate.py", name=names[str(inside)])
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
            needed = f"{cpp} | {EMULATOR}/prologue.h || {first}"
            object_file = folder / "objects" / Path(usual).name
            includes = shlex.join((f"-I{folder / 'headers'}", *INCLUDES))
            usual = ninja.build(object_file, "device_alone", needed, includes=includes)
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
                OUT / "translated" / f"{flat}.cpp",
                "translate",
                f"{place} | {EMULATOR}/translate.py",
                name=name,
            )
            found[source] = ninja.build(object_file, "device", f"{cpp} | {compiled}")
        else:
            found[source] = ninja.build(object_file, "host", f"{place} | {compiled}")
    return found


def program(ninja: Ninja, source: Path, runtime: str) -> None:
    stem, name = source.stem, source.relative_to(ROOT).as_posix()
    cpp = ninja.build(
        OUT / f"translated/{stem}.cpp", "translate", f"{source} | {EMULATOR}/translate.py", name=name
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
        includes=shlex.quote(f"-I{TREE}/include/aten"),
    )
    ninja.build(PROGRAM, "linked", f"{made} | {libraries}", folder=str(library))


def streams(ninja: Ninja, libraries: str, first: str) -> None:
    made = ninja.build(
        OUT / "objects/streams.o",
        "host_alone",
        f"{HERE}/streams.cpp || {first}",
        flags=f"{shlex.join(FLAGS)} -fvisibility=default",
        includes=shlex.quote(f"-I{TREE}/include/aten"),
    )
    ninja.library(STREAMS, f"{made} | {libraries}", f"-L{OUT}/exact/aten/lib -laten")


def stand_in(ninja: Ninja, source: str, name: str, runtime: str) -> Path:
    """For a library that libaten_cuda.so loads by its name."""
    made = ninja.build(
        OUT / f"objects/{source}.o",
        "host_alone",
        f"{EMULATOR}/{source}.cpp",
        flags=f"{shlex.join(FLAGS)} -O2",
    )
    file = OUT / f"cublas/lib{name}.so.13"
    link = f"-L{OUT} -lcuda_emulator -Wl,-rpath,'$$ORIGIN/..'"
    ninja.library(file, f"{made} | {runtime}", link)
    return file


def write_ninja(package: Path) -> None:
    names = json.loads((TREE / "sources.json").read_text())["files"]
    ninja = Ninja(package)
    parts = [
        ninja.build(OUT / "objects" / f"emulator_{part}.o", "runtime", f"{EMULATOR}/{part}.cpp")
        for part in RUNTIME
    ]
    runtime = ninja.library(OUT / "libcuda_emulator.so", " ".join(parts), LINKED_RUNTIME)
    for source in PROGRAMS:
        program(ninja, source, runtime)
    first = headers(ninja, names)
    made = objects(ninja, precompile(ninja, first), names)
    exact = ninja.build(
        OUT / "objects/exact_allocator.o", "host_alone", f"{EMULATOR}/exact_allocator.cpp || {first}"
    )
    short = short_objects(ninja, first, {s: o for s, o in made.items() if "CUDACachingAllocator" not in s})
    others = [o for source, o in made.items() if "CUDACachingAllocator" not in source]
    inputs = {"exact": [*others, exact], "caching": [*made.values()], "short_loops": [*short, exact]}
    for kind in KINDS:
        target = OUT / kind / "aten/lib/libaten_cuda.so"
        ninja.library(target, f"{' '.join(inputs[kind])} | {runtime}", ninja.cuda)
    usual = [OUT / kind / "aten/lib/libaten_cuda.so" for kind in KINDS if kind != "short_loops"]
    for linked in (cpp_program, streams):
        linked(ninja, str(OUT / "exact/aten/lib/libaten_cuda.so"), first)
    libraries = [
        stand_in(ninja, *names, runtime) for names in (("cublas", "cublas"), ("cublas_lt", "cublasLt"))
    ]
    usual += [*(OUT / file.stem for file in PROGRAMS), *libraries, PROGRAM, STREAMS]
    ninja.lines += [f"build usual: phony {' '.join(map(str, usual))}", "default usual"]
    ninja.lines.append(f"build short_loops: phony {OUT}/short_loops/aten/lib/libaten_cuda.so")
    ninja.write(OUT / "build.ninja")


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
    subprocess.run(
        [ninja, "-C", ROOT, "-f", OUT / "build.ninja", "-j", str(jobs), "--quiet", *targets], check=True
    )


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
