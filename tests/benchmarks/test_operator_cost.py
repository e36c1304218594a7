"""benchmarks/operator_cost.py: adds a copy of an example, and counts recompiled objects."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from house import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

import operator_cost
from measure import rebuilds
from measure.objects import Tree, compiled_again

CMAKE = """\
set(PRECOMPILED_HEADERS <vector> <common.h>)
set(METHOD_HEADERS <methods.h>)
set(SIMD_HEADERS <simd.h>)
"""
FILES = {
    "CMakeLists.txt": CMAKE,
    "cmake/kinds.cmake": 'set(UNITY_SOURCES 2 CACHE STRING "")\n',
    "include/aten/common.h": "",
    "include/aten/methods.h": "",
    "include/aten/simd.h": "",
    "include/aten/deep.h": "",
    "include/aten/near.h": "#  include <deep.h>\n",
    "python/bindings/prelude.h": "",
    "src/core.cpp": "",
    "src/glue.cpp": "#include <near.h>\n",
    "src/ops/a.cpp": "",
    "src/ops/b.cpp": '#include "beside.h"\n',
    "src/ops/beside.h": "",
    "src/ops/d.cpp": "",
    "src/cpu.cpp": "",
    "src/simd.cpp": "",
    "src/cuda.cu": "// #include <near.h>\n",
    "python/bindings/module.cpp": "",
}
GROUPS = {
    "CORE": "src/core",
    "GLUE": "src/glue",
    "OPS": "src/ops/",
    "CPU": "src/cpu",
    "SIMD": "src/simd",
    "CUDA": "src/cuda",
    "PYTHON": "python/bindings/",
}


@pytest.fixture
def tree(tmp_path: Path) -> Callable[..., Tree]:
    """Writes FILES, some of them changed, and returns their Tree."""

    def write(name: str, **changed: str) -> Tree:
        root = tmp_path / name
        files = FILES | {path.replace("__", "/").replace("_", "."): text for path, text in changed.items()}
        lists = [
            f"set(SOURCES_{group}\n"
            + "".join(f"  {p}\n" for p in sorted(files) if _is_source(p, start))
            + ")\n"
            for group, start in GROUPS.items()
        ]
        files["cmake/library.cmake"] = "".join(lists)
        rows = {
            path: {"sha256": hashlib.sha256(text.encode()).hexdigest(), "origin": "templates/x"}
            for path, text in files.items()
        }
        for path, text in (files | {"manifest.json": json.dumps({"files": rows})}).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return Tree(root)

    return write


def _is_source(path: str, start: str) -> bool:
    return path.startswith(start) and path.endswith((".cpp", ".cu"))


def test_nothing_is_compiled_again_where_nothing_changed(tree: Callable[..., Tree]) -> None:
    assert compiled_again(tree("before"), tree("after")) == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("include__aten__deep_h", [("glue", "src/glue.cpp")]),
        ("src__ops__beside_h", [("glue", "batch 0")]),
        ("include__aten__simd_h", [("simd", "precompiled header"), ("simd", "src/simd.cpp")]),
        ("src__cuda_cu", [("cuda", "src/cuda.cu")]),
    ],
)
def test_what_includes_a_changed_file_is_compiled_again(
    changed: str, expected: list[tuple[str, str]], tree: Callable[..., Tree]
) -> None:
    assert compiled_again(tree("before"), tree("after", **{changed: "// changed\n"})) == expected


def test_a_precompiled_header_reaches_all_objects_of_its_kinds(tree: Callable[..., Tree]) -> None:
    again = compiled_again(tree("before"), tree("after", include__aten__methods_h="int method();\n"))
    assert operator_cost.by_library(again) == [6, 0, 2]
    assert {kind for kind, _ in again} == {"glue", "cpu", "python"}


def test_a_source_more_moves_those_behind_it_into_other_batches(tree: Callable[..., Tree]) -> None:
    again = compiled_again(tree("before"), tree("after", src__ops__c_cpp=""))
    assert again == [("glue", "batch 1")]
    again = compiled_again(tree("before"), tree("more", src__ops__aa_cpp=""))
    assert again == [("glue", "batch 0"), ("glue", "batch 1")]


def test_an_example_is_added_behind_itself(tmp_path: Path) -> None:
    example = next(e for e in operator_cost.examples(operator_cost.GUIDE.read_text(encoding="utf-8")))
    for file in example.parts(ROOT):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text((ROOT / file).read_text(encoding="utf-8"), encoding="utf-8")
    operator_cost.add_again(example, tmp_path, method=False)
    declared = (tmp_path / "schemas" / "native_functions.yaml").read_text(encoding="utf-8")
    name = f"{example.operator}2"
    assert f"- func: {name}(Tensor self) -> Tensor\n  variants: function\n" in declared
    assert f"structured_delegate: {name}.out" in declared
    functors = (tmp_path / "ops" / "elementwise" / "functors" / "rounding.h").read_text(encoding="utf-8")
    assert functors.index(f" {example.operator}(T self)") < functors.index(f" {name}(T self)")


def test_what_was_added_as_a_function_is_made_a_method(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    file = tmp_path / "schemas" / "native_functions.yaml"
    entry = "- func: {}(Tensor self) -> Tensor\n  variants: function\n"
    entries, other = [entry.format(name) for name in ("frac2", "frac2_")], entry.format("other")
    file.write_text("".join([*entries, other]), encoding="utf-8")
    example = next(e for e in operator_cost.examples(operator_cost.GUIDE.read_text(encoding="utf-8")))
    operator_cost.made_method(example, tmp_path)
    made = [entry.replace("function\n", "function, method\n") for entry in entries]
    assert file.read_text(encoding="utf-8") == "".join([*made, other])


@pytest.mark.parametrize(
    ("key", "suffix"),
    [
        (("glue", "batch 12"), "/glue.dir/Unity/unity_12_cxx.cxx.o"),
        (("simd", "src/cpu/a/simd/b.cpp"), "/src/cpu/a/simd/b.cpp.o"),
        (("python", "python/bindings/functions_0.cpp"), "/bindings/functions_0.cpp.o"),
        (("cuda", "src/cuda/a/b.cu"), "/src/cuda/a/b.cu.o"),
    ],
)
def test_an_object_is_found_among_ninjas_targets(key: tuple[str, str], suffix: str) -> None:
    assert rebuilds.suffix(*key) == suffix


def test_the_cpus_seconds_are_those_of_the_programs(tmp_path: Path) -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    spent = rebuilds.timed([sys.executable, "-c", busy], tmp_path)
    assert 0.3 <= spent.cpu < 3 and spent.wall >= 0.25
    idle = rebuilds.timed([sys.executable, "-c", "import time; time.sleep(0.5)"], tmp_path)
    assert idle.wall >= 0.5 and idle.cpu < spent.cpu


def test_a_program_that_fails_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="failed: see above"):
        rebuilds.timed([sys.executable, "-c", "raise SystemExit(3)"], tmp_path)


def test_only_the_operators_own_name_is_changed() -> None:
    text = "prod_stub(prod, cumprod, products, at::prod_out, Prod<T>(), Product())"
    made = "prod2_stub(prod2, cumprod, products, at::prod2_out, Prod2<T>(), Product())"
    assert operator_cost.renamed(text, "prod") == made
