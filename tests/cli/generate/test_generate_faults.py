"""Operators that cannot be generated give findings that name all of them, not an internal error."""

from __future__ import annotations

import pytest
from test_generate_command import opgen

TEXT = """
- func: one(Tensor self, bool[] flags) -> Tensor

- func: two(Tensor self) -> Tensor

- func: three(Tensor self, bool[]? flags) -> Tensor
"""


@pytest.mark.parametrize("more", [("--extend", "aten"), ()])
def test_types_without_a_place_in_cpp(tmp_path, more):
    file = tmp_path / "functions.yaml"
    file.write_text(TEXT)
    done = opgen("generate", file, "--name", "x", "--out", tmp_path / "out", *more)
    assert done.returncode == 1, done.stderr
    assert f"{file}:2:" in done.stderr and f"{file}:6:" in done.stderr
    assert "a list of bool needs a size" in done.stderr and done.stderr.count("error[") == 2
    assert not (tmp_path / "out").exists()
