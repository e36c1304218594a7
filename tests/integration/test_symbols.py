"""The shared objects export the API in the inline namespace, and nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("nm") is None, reason="there is no nm")

NAMESPACES = ("at", "c10", "torch", "caffe2")
# Instances of the C++ standard library's templates, which are weak everywhere, and the module's entry point.
STANDARD = re.compile(r"(_ZN?K?(S[tabios]|9__gnu_cxx)|_ZNSt|_ZNKSt|_ZZNSt|_ZZNKSt|_ZT[VIS]N?St|_ZGVNSt)")


def defined(path: Path) -> list[tuple[str, str]]:
    """Returns the type letter and mangled name of each dynamic symbol that the object defines."""
    lines = subprocess.run(
        ["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True
    ).stdout
    return [tuple(line.split()[-2:]) for line in lines.splitlines()]


def outside(path: Path) -> list[str]:
    """Returns names that are neither in the inline namespace nor the standard library's."""
    return [name for _, name in defined(path) if "7aten_v1" not in name and not STANDARD.match(name)]


def test_library_exports_its_namespace_only(library: Path) -> None:
    assert outside(library) == []
    assert len(defined(library)) > 500


def test_copies_of_kernels_stay_inside(library: Path) -> None:
    """Copies of kernels are not exported: other code sees one copy at most, and would choose it for the whole
    process.
    """
    copy = re.compile(r"12DispatchStubI.*E(7DEFAULT|4AVX2|6AVX512)E\Z")
    assert not [name for _, name in defined(library) if copy.search(name)]


def test_types_of_structured_kernels_stay_inside(library: Path) -> None:
    """Types of structured kernels are not exported: nothing outside needs them, only their functions are
    called.
    """
    assert not [name for _, name in defined(library) if re.match(r"_ZT[ISV].*\d+structured_", name)]


def test_exports_are_declared_in_headers(library: Path, headers: Path) -> None:
    if shutil.which("c++filt") is None:
        pytest.skip("there is no c++filt")
    files = [file for suffix in ("*.h", "*.cuh") for file in headers.rglob(suffix)]
    declared = {word for file in files for word in re.findall(r"\w+", file.read_text())}
    names = [name for _, name in defined(library) if not name.startswith("_ZT") and not STANDARD.match(name)]
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    assert [text for text in done.stdout.splitlines() if last_name(text) not in declared] == []


def last_name(text: str) -> str:
    """Returns `f` for `at::f<int>(at::Tensor const&)`; for an operator or a destructor its class or
    `operator`.
    """
    plain = re.sub(r"\[abi:\w+\]", "", text)
    while (shorter := re.sub(r"<[^<>]*>|\{[^{}]*\}", "", plain)) != plain:
        plain = shorter
    return re.findall(r"\w+", plain.partition("(")[0])[-1]


def test_module_exports_its_entry(module: Path) -> None:
    assert outside(module) == ["PyInit__C"]


def test_nothing_is_unique_to_the_process(library: Path, module: Path) -> None:
    """There are no STB_GNU_UNIQUE symbols, which would be shared with every other library that has them."""
    for path in (library, module):
        assert not [name for kind, name in defined(path) if kind == "u"]


def test_names_differ_from_pytorchs(library: Path) -> None:
    namespaces = "|".join(f"{len(n)}{n}" for n in NAMESPACES)
    plain = re.compile(rf"_Z(N|NK|TVN|TIN|TSN)({namespaces})(?!7aten_v1)")
    assert not [name for _, name in defined(library) if plain.match(name)]


def test_needs_only_the_compilers_libraries(library: Path, module: Path) -> None:
    if shutil.which("readelf") is None:
        pytest.skip("there is no readelf")
    names = "libstdc++ libm. libgcc_s libc. libaten libdl libpthread librt ld-linux"
    for path in (library, module):
        text = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
        assert [n for n in needed if not n.startswith(tuple(names.split()))] == []
        assert not re.findall(r"(?:RPATH|RUNPATH).*\[/", text)
