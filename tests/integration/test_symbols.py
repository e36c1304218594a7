"""What the shared objects show to a process: the API in the inline namespace, and nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("nm") is None, reason="there is no nm")

NAMESPACES = ("at", "c10", "torch", "caffe2")
# Instances of the C++ standard library's templates, which are weak everywhere, and the module's entry.
STANDARD = re.compile(r"(_ZN?K?(S[tabios]|9__gnu_cxx)|_ZNSt|_ZNKSt|_ZZNSt|_ZZNKSt|_ZT[VIS]N?St|_ZGVNSt)")


def defined(path: Path) -> list[tuple[str, str]]:
    """Type letter and mangled name of each dynamic symbol that the object defines."""
    lines = subprocess.run(
        ["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True
    ).stdout
    return [tuple(line.split()[-2:]) for line in lines.splitlines()]


def outside(path: Path) -> list[str]:
    """Names that aren't in the inline namespace, and not the standard library's."""
    return [name for _, name in defined(path) if "7aten_v1" not in name and not STANDARD.match(name)]


def test_library_exports_its_namespace_only(library: Path) -> None:
    assert outside(library) == []
    assert len(defined(library)) > 500


def test_module_exports_its_entry(module: Path) -> None:
    assert outside(module) == ["PyInit__C"]


def test_nothing_is_unique_to_the_process(library: Path, module: Path) -> None:
    """STB_GNU_UNIQUE symbols would be shared with every other library that has them."""
    for path in (library, module):
        assert not [name for kind, name in defined(path) if kind == "u"]


def test_names_differ_from_pytorchs(library: Path) -> None:
    namespaces = "|".join(f"{len(n)}{n}" for n in NAMESPACES)
    plain = re.compile(rf"_Z(N|NK|TVN|TIN|TSN)({namespaces})(?!7aten_v1)")
    assert not [name for _, name in defined(library) if plain.match(name)]


def test_needs_only_the_compilers_libraries(library: Path, module: Path) -> None:
    if shutil.which("readelf") is None:
        pytest.skip("there is no readelf")
    allowed = (
        "libstdc++",
        "libm.",
        "libgcc_s",
        "libc.",
        "libaten",
        "libdl",
        "libpthread",
        "ld-linux",
        "libgomp",
        "librt",
    )
    for path in (library, module):
        text = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
        assert [n for n in needed if not n.startswith(allowed)] == []
        assert not re.findall(r"(?:RPATH|RUNPATH).*\[/", text)
