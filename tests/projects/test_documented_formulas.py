"""The formulas of docs/reference/derivatives.md, compiled in an extension and compared with differences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from building import ROOT, build, needs_aten, run

PAGE = ROOT / "docs" / "reference" / "derivatives.md"
KERNEL = """\
#include <ATen/ops/documented_scale_native.h>
#include <ATen/ops/mul.h>

namespace at::native {
Tensor scale_cpu(const Tensor& self, const Tensor& factor) { return at::mul(self, factor); }
}  // namespace at::native
"""
PROGRAM = """
import aten, documented
from aten.autograd import gradcheck, gradgradcheck

scale = documented.ops.documented.scale
for self, factor in (([3, 4], [3, 4]), ([3, 4], [4]), ([4], [3, 1]), ([2, 3], [])):
    tensors = [aten.randn(sizes, dtype=aten.float64, requires_grad=True) for sizes in (self, factor)]
    assert gradcheck(scale, tensors, check_forward_ad=True) and gradgradcheck(scale, tensors)
"""


@pytest.mark.slow
def test_the_first_example_compiles_and_is_right(tmp_path: Path) -> None:
    needs_aten()
    block = PAGE.read_text(encoding="utf-8").split("```yaml\n")[1].partition("```")[0]
    (schema,) = re.findall(r"^- name: (scale\(.*?\) -> Tensor)", block)
    declared = f"- func: documented::{schema}\n  dispatch:\n    CPU: scale_cpu\n"
    (tmp_path / "native_functions.yaml").write_text(declared, encoding="utf-8")
    (tmp_path / "derivatives.yaml").write_text(
        block.replace("- name: ", "- name: documented::"), encoding="utf-8"
    )
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "scale.cpp").write_text(KERNEL, encoding="utf-8")
    build(tmp_path, tmp_path, "documented", [tmp_path / "kernels"], "--extend", "aten")
    run(tmp_path, "-c", PROGRAM)
