"""Every installed header compiles by itself, as a program's only include."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from compilers import syntax_errors

CPU = Path(__file__).resolve().parents[2] / "cpu"
# Headers for code that only the CUDA library compiles.
CUDA = ("ATen/native/cuda/", "ATen/cuda/", "c10/cuda/")
# The operators that these call are included before them: a library with few operators may not have them.
FORMULAS = "/batching.h"


def errors(headers: Path, text: str, *options: str) -> str:
    """Returns what the compiler says of a program that does not compile. All names are the same in each run,
    for a compile cache.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "include").symlink_to(headers)
        (folder / "cpu").symlink_to(CPU)
        program = folder / "program.cpp"
        program.write_text(text)
        return syntax_errors(folder, program, ["-Wall", "-Wno-attributes", *options], [folder / "include"])


def alone(headers: Path) -> list[str]:
    names = (path.relative_to(headers).as_posix() for path in headers.rglob("*.h"))
    return sorted(n for n in names if not n.startswith(CUDA) and not n.endswith(FORMULAS))


def complaints(headers: Path, names: list[str]) -> dict[str, str]:
    def check(name: str) -> tuple[str, str]:
        return name, errors(headers, f"#include <{name}>\n#include <{name}>\n")

    with ThreadPoolExecutor(2) as pool:
        return {name: text[:500] for name, text in pool.map(check, names) if text}


def test_umbrella_and_light_headers(headers: Path) -> None:
    names = [
        "ATen/ATen.h",
        "ATen/Tensor.h",
        "ATen/Functions.h",
        "ATen/NativeFunctions.h",
        "torch/library.h",
        "ATen/ops/add.h",
    ]
    assert complaints(headers, [n for n in names if (headers / n).exists()]) == {}


INCLUDE = re.compile(r"#include\s*[<\"](.*?)[>\"]")
OWN = re.compile(r"ATen/ops/\w+?_(ops|meta)\.h")


def by_includes(headers: Path) -> list[list[str]]:
    """Returns the operators' headers, grouped by what they include; an operator's own count as one."""
    groups: dict[frozenset[str], list[str]] = {}
    for name in alone(headers):
        if name.startswith("ATen/ops/"):
            found = INCLUDE.findall((headers / name).read_text())
            groups.setdefault(frozenset(OWN.sub(r"\1", i) for i in found), []).append(name)
    return list(groups.values())


def test_operators_headers(headers: Path) -> None:
    """Each header includes what it needs: it doesn't rely on another header with the same includes.

    So one program for each group finds what thousands of programs with one header would find.
    """
    groups = by_includes(headers)
    assert sum(map(len, groups)) > 100
    programs = {f"{g[0]}, {len(g)} headers, {way}": g[::way] for g in groups for way in (1, -1)}
    programs |= {g[0]: [g[0]] for g in groups}
    found = {n: errors(headers, "".join(f"#include <{h}>\n" for h in p)) for n, p in programs.items()}
    assert {name: text[:500] for name, text in found.items() if text} == {}


@pytest.mark.slow
@pytest.mark.campaign
def test_core_headers_each_alone(headers: Path) -> None:
    assert complaints(headers, [n for n in alone(headers) if not n.startswith("ATen/ops/")]) == {}


@pytest.mark.slow
@pytest.mark.campaign
def test_kernels_include_what_they_need(headers: Path) -> None:
    """Kernel files include what they need, even if the library's build includes it before every source."""
    sources = sorted(CPU.rglob("*.cpp"))
    assert len(sources) > 50
    options = ("-DC10_BUILDING_LIBRARY", "-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT")
    with ThreadPoolExecutor(2) as pool:
        said = pool.map(
            lambda s: errors(headers, f'#include "cpu/{s.relative_to(CPU)}"\n', *options), sources
        )
    assert {s.name: text[:500] for s, text in zip(sources, said, strict=True) if text} == {}


def item_program(expression: str) -> str:
    return f"#include <ATen/core/Tensor.h>\nauto f(const at::Tensor& t) {{ return {expression}; }}\n"


def test_item_takes_the_types_of_dtypes_and_says_so_of_others(headers: Path) -> None:
    for wrong in ("char", "long double", "std::string", "char16_t"):
        said = errors(headers, item_program(f"t.item<{wrong}>()"))
        assert "T has to be the C++ type of one of the library's dtypes" in said, wrong
