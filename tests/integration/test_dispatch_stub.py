"""The selected copy of a kernel is the best that the processor supports, regardless of the first caller."""

from __future__ import annotations

import subprocess
from pathlib import Path

from compilers import host_compiler
from opgen.build import machine

STUB = """
#include <ATen/native/DispatchStub.h>
namespace at::native {
using which_fn = CPUCapability (*)();
DECLARE_DISPATCH(which_fn, which_stub)
}
"""
DEFINITION = '#include "stub.h"\nnamespace at::native { DEFINE_DISPATCH(which_stub); }\n'
KERNEL = """
#include "stub.h"
namespace at::native {
static CPUCapability which() { return CPUCapability::CPU_CAPABILITY; }
REGISTER_DISPATCH(which_stub, &which)
}
"""
PROGRAM = """
#include "stub.h"
int main() { return at::native::which_stub(c10::kCPU) == at::native::get_cpu_capability() ? 0 : 1; }
"""
NAME = """
#include <ATen/native/DispatchStub.h>
#include <cstdio>
int main() { std::puts(at::native::cpu_capability_name(at::native::get_cpu_capability())); }
"""
COPIES = ("DEFAULT", "AVX2", "AVX512")


def test_the_first_call_comes_from_outside(library: Path, headers: Path, tmp_path: Path) -> None:
    for name, text in (
        ("stub.h", STUB),
        ("stub.cpp", DEFINITION),
        ("kernel.cpp", KERNEL),
        ("main.cpp", PROGRAM),
    ):
        (tmp_path / name).write_text(text)
    common = [host_compiler(), "-std=c++20", "-O1", "-fPIC", "-fvisibility=hidden", f"-I{headers}", "-I."]
    told = ["-c", "-ftls-model=initial-exec", *(f"-DHAVE_{copy}_CPU_DEFINITION" for copy in COPIES)]
    linked = [f"-L{library.parent}", "-laten", f"-Wl,-rpath,{library.parent}", "-Wl,-rpath,$ORIGIN"]
    commands = [
        [*common, *told, "stub.cpp"],
        *([*common, *told, "kernel.cpp", f"-DCPU_CAPABILITY={copy}", "-o", f"{copy}.o"] for copy in COPIES),
        [*common, "-shared", "stub.o", *(f"{copy}.o" for copy in COPIES), *linked, "-o", "libstub.so"],
        [*common, "main.cpp", "-L.", "-lstub", *linked, "-o", "main"],
    ]
    for command in commands:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert subprocess.run([tmp_path / "main"], check=False).returncode == 0


def test_opgen_builds_the_copy_that_is_chosen(library: Path, headers: Path, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(NAME)
    command = [host_compiler(), "-std=c++20", f"-I{headers}", "main.cpp", f"-L{library.parent}", "-laten"]
    command += [f"-Wl,-rpath,{library.parent}", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == machine.cpu_capability()
