"""The examples in Python of the README print what it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "README.md"


def sessions() -> list[str]:
    """The indented blocks that begin with '>>>', or with it after the command that starts Python."""
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", README.read_text(encoding="utf-8"), re.MULTILINE)
    return [block for block in blocks if block.lstrip().startswith((">>>", "$ .venv/bin/python\n"))]


def test_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after another, as a reader would type them; the exported program is not there."""
    monkeypatch.chdir(tmp_path)
    found = sessions()
    assert len(found) >= 4
    text = "\n".join(found).replace('>>> program = aten.export.load("model.pt2")\n', "")
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert len(test.examples) > 15 and "".join(said) == ""
