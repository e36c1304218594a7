"""The documentation site: a broken link or an unlisted page fails the build."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from house import ROOT

pytest.importorskip("sphinx", reason="the extra `docs` is not installed (make docs installs it)")


def build(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """Builds the site as `make docs` does."""
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    command += ["-c", str(ROOT / "docs"), "-d", str(out / "doctrees"), str(source), str(out / "html")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def pages(folder: Path, **texts: str) -> Path:
    (folder / "docs").mkdir(parents=True)
    for name, text in texts.items():
        (folder / "docs" / f"{name}.md").write_text(text)
    return folder


def test_a_sound_site_is_built(tmp_path: Path) -> None:
    source = pages(
        tmp_path / "a",
        index="# T\n\n## Guides\n\n- [P](page.md): [a part](page.md#part)\n",
        page="# P\n\n## Part\n",
    )
    done = build(source, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "docs/index.html" in (tmp_path / "out" / "html" / "index.html").read_text()
    assert 'href="page.html"' in (tmp_path / "out" / "html" / "docs" / "index.html").read_text()


@pytest.mark.parametrize(
    ("index", "fault"),
    [
        ("# T\n\n- [P](page.md)\n- [gone](gone.md)\n", "gone"),
        ("# T\n\n- [P](page.md): [a part](page.md#nowhere)\n", "nowhere"),
        ("# T\n\nNothing is listed.\n", "isn't included in any toctree"),
    ],
)
def test_a_broken_one_is_not(index: str, fault: str, tmp_path: Path) -> None:
    done = build(pages(tmp_path / "a", index=index, page="# P\n"), tmp_path / "out")
    assert done.returncode != 0
    assert fault in done.stderr
