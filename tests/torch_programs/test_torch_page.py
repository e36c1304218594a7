"""docs/torch-programs.md: its program prints what the page says, and its texts are the library's."""

from __future__ import annotations

import re
from pathlib import Path

from children import printed

PAGE = Path(__file__).resolve().parents[2] / "docs" / "torch-programs.md"
SHOWING = """
import torch
print(torch.__version__, str(torch.float32), torch.nn.Linear.__module__)
try:
    torch.while_loop
except AttributeError as error:
    print(f"{type(error).__name__}: {error}")
"""


def test_the_program_prints_what_the_page_says(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```.*?It prints\n\n    (.*?)\n", text, re.DOTALL)
    assert found is not None
    (tmp_path / "line.py").write_text(found[1])
    assert printed("line.py", cwd=tmp_path) == f"{found[2]}\n"


def test_the_texts_of_the_page_are_the_librarys(tmp_path: Path) -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    names, error = printed("-c", SHOWING, cwd=tmp_path).splitlines()
    for name in names.split():
        assert f"`{name}`" in text
    assert error in text
