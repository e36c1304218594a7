"""The headers of every file without errors compile: of random ones, and of PyTorch's."""

from __future__ import annotations

from pathlib import Path

import pytest
from compilers import syntax_errors
from front import NEWEST, checked, pytorch_yaml, shared
from opgen import pipeline
from parts import parts
from random_files import legal

PARTS = 40
FILES_OF_A_PART = 5
EVERYTHING = "".join(f"#include <ATen/{name}.h>\n" for name in ("ATen", "NativeFunctions", "Operators"))


def compiled(file: Path, folder: Path) -> str:
    """Returns what the compiler says of all headers of a library of the file; "" for nothing."""
    request = pipeline.Request(file, folder / "tree", "x", stubs=True)
    pipeline.generate(request)
    source = folder / "everything.cpp"
    source.write_text(EVERYTHING)
    return syntax_errors(folder, source, ["-w"], [folder / "tree" / "include" / "x"])[:4000]


@pytest.mark.parametrize("part", parts(PARTS, short=0, all_runs=PARTS))
def test_random_files(tmp_path, part):
    """Of each file a few entries are left: the others conflict with these."""
    for seed in range(part * FILES_OF_A_PART, (part + 1) * FILES_OF_A_PART):
        file = tmp_path / "native_functions.yaml"
        file.write_text(legal(seed))
        try:
            assert compiled(file, tmp_path) == "", f"seed {seed}"
        except pipeline.Invalid as invalid:
            found = {d.code for d in invalid.report.diagnostics}
            assert found <= {"OPG901"}, (seed, [d.message for d in invalid.report.diagnostics])


def test_random_files_have_entries_of_many_kinds():
    text = "".join(legal(seed) for seed in range(5))
    for part in ("structured: True", "variants: method", "*, Tensor(a!) out", "dtype=None", "my::", "p_("):
        assert part in text
    assert not [d for d in checked(legal(0))[1] if d.severity == 0]


@pytest.mark.slow
@pytest.mark.parametrize("release", ["installed", NEWEST])
def test_pytorchs_files(tmp_path, release):
    file = pytorch_yaml() if release == "installed" else shared("data", "pytorch", release)
    assert compiled(file, tmp_path) == ""
