"""C++ includes go downward: core below everything; ops, cpu and cuda above it; cpu and cuda never
include each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from house import CPP, ROOT, files, name

INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([^>\"]+)[>\"]", re.MULTILINE)
# Where the headers of a folder are found by those who include them.
PREFIXES = (
    ("cpu", "ATen/native/cpu/"),
    ("cuda", "ATen/native/cuda/"),
    ("ops", "ATen/native/"),
    ("ops/runtime", "ATen/native/"),
    ("core", ""),
)
MAY_INCLUDE = {
    "core": {"core"},
    "ops": {"core", "ops", "generated"},
    "cpu": {"core", "ops", "cpu", "generated"},
    "cuda": {"core", "ops", "cuda", "generated"},
}
GENERATED = re.compile(
    r"ATen/(ops/.*|core/Tensor\.h|core/TensorBody\.h|Tensor\.h|ATen\.h|Functions\.h|NativeFunctions\.h|Operators\.h)$"
)
UMBRELLAS = {"ATen/ATen.h", "ATen/Functions.h", "ATen/NativeFunctions.h", "ATen/Operators.h"}
# Not the library itself but what its users include to register kernels: their functions take at::Tensor.
FOR_USERS = {("core/torch/library.h", "ATen/core/Tensor.h")}
# The engine adds gradients up and shows views: it calls the operators of schemas/base.yaml.
CALLS_OPERATORS = "core/torch/autograd/"
# Which library this is: three macros and no declaration.
IDENTITY = "c10/macros/library.h"


def includes(file: Path) -> Iterator[str]:
    yield from INCLUDE.findall(file.read_text(encoding="utf-8"))


def room_of(include: str) -> str | None:
    """The folder an include leads to; None outside of this project."""
    if include == IDENTITY:
        return "core"
    if GENERATED.match(include):
        return "generated"
    for folder, prefix in PREFIXES:
        if include.startswith(prefix) and (ROOT / folder / include.removeprefix(prefix)).is_file():
            return folder.partition("/")[0]
    if include.startswith(("c10/cuda/", "ATen/cuda/")):
        return "cuda"
    return "missing" if include.startswith(("ATen/", "c10/", "torch/")) else None


def test_rooms_include_what_is_below_them():
    bad = []
    for folder, allowed in MAY_INCLUDE.items():
        for file in files(folder, *CPP):
            for include in includes(file):
                target = room_of(include)
                if target == "generated" and name(file).startswith(CALLS_OPERATORS):
                    continue
                if target is not None and target not in allowed and (name(file), include) not in FOR_USERS:
                    bad.append(f"{name(file)} includes <{include}> ({target})")
    assert not bad


def test_headers_of_backends_hold_no_generated_text():
    """Loops and launches are compiled against TensorBase, so that one more operator recompiles none of
    them.
    """
    bad = [
        f"{name(file)} includes <{include}>"
        for folder in ("cpu", "cuda")
        for file in files(folder, ".h", ".cuh")
        for include in includes(file)
        if GENERATED.match(include)
    ]
    assert not bad


def test_kernel_files_name_the_operators_they_use():
    """No umbrella header: a selection of operators is closed over the includes of its kernels' files."""
    bad = [
        f"{name(file)} includes <{include}>"
        for folder in ("ops", "cpu", "cuda")
        for file in files(folder, *CPP)
        for include in includes(file)
        if include in UMBRELLAS
    ]
    assert not bad


def test_no_heavy_headers_in_headers():
    heavy = {"iostream", "functional", "regex"}
    bad = [
        f"{name(file)} includes <{include}>"
        for folder in MAY_INCLUDE
        for file in files(folder, ".h", ".cuh")
        for include in includes(file)
        if include in heavy
    ]
    assert not bad
