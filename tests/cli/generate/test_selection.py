"""A selection of operators takes all files that it needs to link."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from front import ROOT
from opgen import locate, pipeline
from opgen.select import selection, sources
from opgen.template_views import names
from opgen.template_views.source import Source


@pytest.fixture(scope="module")
def shipped():
    return pipeline.load(locate.share() / "schemas", checked=False)[0]


@pytest.fixture(scope="module")
def files():
    found = sources.runtime_sources(locate.share(), "small")
    return [f for f in found if not f.origin.startswith("cuda/")]


def one_for_each_choice(known: frozenset[str], files: list[Source]) -> list[str]:
    """Returns an operator for each set of files that define one: the selection sees no other difference."""
    defined_in: dict[str, list[str]] = {name: [] for name in sorted(known)}
    for file in files:
        for name in file.defines & known:
            defined_in[name].append(file.path)
    return list({tuple(paths): name for name, paths in defined_in.items()}.values())


def test_stubs_that_are_called_are_defined_and_registered(shipped, files):
    """Each choice of operators alone: a stub that no file defines is an error of the linker, one without a
    kernel an error of the first call.
    """
    known = frozenset(names.base(f) for f in shipped.functions)
    defined = {stub for file in files for stub in file.stubs}
    registered = {stub for file in files for stub in file.registers}
    base = {
        name.partition(".")[0].removesuffix("_")
        for name in selection.base_operators(locate.share() / "schemas")
    }
    missing = set()
    for operator in one_for_each_choice(known, files):
        taken, _ = sources.close(files, {operator} | (base & known), known)
        called = {stub for file in taken for stub in file.stub_calls}
        missing |= {(operator, s) for s in (called & defined) - {s for f in taken for s in f.stubs}}
        missing |= {(operator, s) for s in (called & registered) - {s for f in taken for s in f.registers}}
    assert not missing
    assert len(known) > 500 and len(defined) > 100


# Some that were wrong or are likely to be, and what chance takes.
SELECTIONS = [["add", "mm"], ["linalg_solve_ex", "grid_sampler_2d"], None, None]


def generated(out: Path, operators: list[str]) -> Path:
    command = [sys.executable, "-m", "opgen", "generate", str(ROOT / "schemas"), "--name", "aten", "--out"]
    command += [str(out), "--backend", "cpu", "--ops", ",".join(operators)]
    subprocess.run(command, env={"PYTHONPATH": str(ROOT / "cli")}, capture_output=True, check=True)
    return out


def declared_for(file: Path, folder: Path, read: dict[Path, set[str]]) -> set[str]:
    """Returns the operators' structs that a file or a header that it includes declares; `read` keeps them."""
    if file not in read:
        text, read[file] = file.read_text(), set()
        found = set(re.findall(r"^struct TORCH_API (\w+) {", text, re.MULTILINE))
        for name in re.findall(r"^#include <(ATen/.*)>", text, re.MULTILINE):
            found |= declared_for(folder / name, folder, read)
        read[file] = found
    return read[file]


@pytest.mark.parametrize("seed", range(len(SELECTIONS)))
def test_generated_files_name_only_operators_that_they_include(shipped, tmp_path, seed):
    known = sorted({names.base(f) for f in shipped.functions})
    tree = generated(tmp_path / "tree", SELECTIONS[seed] or random.Random(seed).sample(known, 4))
    read, undeclared, uses = {}, {}, 0
    for file in sorted((tree / "src").glob("*.cpp")):
        used = set(re.findall(r"\b_ops::(\w+)", file.read_text()))
        uses += len(used)
        undeclared[file.name] = used - declared_for(file, tree / "include" / "aten", read)
    assert uses > 1000
    assert {name: missing for name, missing in undeclared.items() if missing} == {}


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("a + b * 2", {"add", "mul"}),
        ("-a", {"neg"}),
        ("a / b - c", {"div", "sub"}),
        ("x = a < b", {"lt"}),
        ("f(a, b)", set()),
    ],
)
def test_operators_between_tensors_are_calls_where_their_header_is_included(shipped, files, code, names):
    """The types of operands are not known, so without the header nothing is counted."""
    whole = next(f for f in files if f.path.endswith("/ATen/TensorOperators.h"))
    include = "#include <ATen/TensorOperators.h>\n"
    for text, wanted in ((include + code, names), (code, set())):
        kernel = Source("kernels/k.cpp", "src/user/k.cpp", "USER", text.encode())
        found = selection.select(shipped, shipped, [whole, kernel], ()).program
        selected = {f.root_name for f in found.functions}
        assert selected >= wanted and bool(selected) == bool(wanted)
