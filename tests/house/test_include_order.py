"""C++ includes go downward: core below everything; ops, cpu and cuda above it; cpu and cuda never
include each other.
"""

from __future__ import annotations

import graphlib
import re
from collections.abc import Iterator
from pathlib import Path

from house import CPP, ROOT, files, name

INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([^>\"]+)[>\"]", re.MULTILINE)
# Include paths of the headers of each folder.
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
# Not part of the library: its users include it to register kernels, whose functions take at::Tensor.
FOR_USERS = {
    ("core/torch/library.h", "ATen/core/Tensor.h"),
    ("core/ATen/TensorIndexing.h", "ATen/core/Tensor.h"),
}
# The engine adds gradients and makes views: it calls the operators of schemas/base.yaml.
CALLS_OPERATORS = "core/torch/autograd/"
# The library's identity: three macros and no declaration.
IDENTITY = "c10/macros/library.h"


def includes(file: Path) -> Iterator[str]:
    yield from INCLUDE.findall(file.read_text(encoding="utf-8"))


def room_of(include: str) -> str | None:
    """Returns the folder of an included file; None outside of this project."""
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


def test_the_runtime_is_in_layers():
    """c10 includes nothing of ATen, and neither anything of torch."""
    above = {"core/c10": ("ATen/", "torch/"), "core/ATen": ("torch/",)}
    assert all([*files(folder, *CPP)] for folder in above)
    assert not [
        f"{name(file)} includes <{include}>"
        for folder, prefixes in above.items()
        for file in files(folder, *CPP)
        for include in includes(file)
        if include.startswith(prefixes)
    ]


def test_headers_of_backends_hold_no_generated_text():
    """Loops and launches use TensorBase, so that one more operator recompiles none of them."""
    bad = [
        f"{name(file)} includes <{include}>"
        for folder in ("cpu", "cuda")
        for file in files(folder, ".h", ".cuh")
        for include in includes(file)
        if GENERATED.match(include)
    ]
    assert not bad


def test_kernel_files_name_the_operators_they_use():
    """Kernel files include no umbrella header: a selection of operators follows the includes of its kernels'
    files.
    """
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


def test_folders_of_the_bindings_are_in_layers() -> None:
    """None of them includes another that includes it; headers beside the folders are for all."""
    bindings = ROOT / "python" / "bindings"
    above: dict[str, set[str]] = {}
    for file in files("python/bindings", *CPP):
        room = _binding(file.relative_to(bindings))
        included = {Path(include) for include in includes(file) if (bindings / include).is_file()}
        above.setdefault(room, set()).update({_binding(path) for path in included} - {room})
    assert {"tensor_object", "values", "exchange", "parser", "autograd", "tensor"} <= above.keys()
    try:
        order = list(graphlib.TopologicalSorter(above).static_order())
    except graphlib.CycleError as error:
        raise AssertionError(f"they include each other: {error.args[1]}") from None
    assert order.index("tensor_object") < order.index("values") < order.index("tensor")


def _binding(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else path.stem
