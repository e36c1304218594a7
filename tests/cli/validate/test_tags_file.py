"""Tags that the tags file does not declare: which file that is, and what to write."""

from __future__ import annotations

import pytest
from opgen import pipeline

OWN = "- tag: core\n  desc: a\n- tag: pointwise\n  desc: b\n"


def fault(folder, tags: str, own: bool):
    (folder / "native_functions.yaml").write_text(f"- func: f(Tensor self) -> Tensor\n  tags: {tags}\n")
    if own:
        (folder / "tags.yaml").write_text(OWN)
    (found,) = pipeline.load(folder)[1].diagnostics
    return found


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        ("pointwize", "did you mean 'pointwise'?"),
        ("needs_exact_strides", "it is one of PyTorch's; add it to the tags file"),
        ("needs_exact_stridez", "did you mean 'needs_exact_strides'?"),
        ("frobnicated", "declare it in"),
    ],
)
def test_ones_own_file_is_named(tmp_path, tags, said):
    found = fault(tmp_path, tags, own=True)
    assert found.code == "OPG801" and said in found.help
    assert found.message == f"there is no tag '{tags}' in {tmp_path / 'tags.yaml'}"


def test_without_a_file_of_ones_own_none_is_named(tmp_path):
    found = fault(tmp_path, "pointwize", own=False)
    assert (found.message, found.help) == ("there is no tag 'pointwize'", "did you mean 'pointwise'?")
