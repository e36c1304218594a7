"""The documentation site: a broken link or an unlisted page fails the build, and the pages of the Python API
are complete.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from house import ROOT

pytest.importorskip("sphinx", reason="the extra `docs` is not installed (make docs installs it)")
EXTENSIONS = str(ROOT / "docs" / "_extensions")


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


@pytest.fixture(scope="module")
def api():
    sys.path.insert(0, EXTENSIONS)
    import python_api

    yield python_api
    sys.path.remove(EXTENSIONS)


def test_docstrings_become_markdown(api) -> None:
    text = "Sums.\n\n>>> f(1)\n1\n\nArgs:\n    x (int): a number.\n\nAfter."
    assert api.markdown(text) == [
        *("Sums.", "", "```pycon", ">>> f(1)", "1", "```", ""),
        *("**Args**", "", "- x (int): a number.", "", "After."),
    ]


def test_examples_of_generated_docstrings_become_code(api) -> None:
    text = "Raises:\n    E: if 1.\n\nExample:\n    >>> f(1)\n    [1,\n     2]\n\n    >>> 2\n    2"
    assert api.markdown(text) == [
        *(
            "**Raises**",
            "",
            "- E: if 1.",
            "",
            "**Example**",
            "",
            "```pycon",
            ">>> f(1)",
            "[1,",
            " 2]",
            "```",
            "",
        ),
        *("```pycon", ">>> 2", "2", "```"),
    ]


def test_generated_functions_have_what_the_docs_say(api) -> None:
    (cumsum,) = (entry for entry in api.generated("") if entry.name == "cumsum")
    sentence, formula, *_ = cumsum.text.split("\n\n")
    assert sentence.startswith("Running sum along dim") and formula.startswith("    out[i] = ")
    assert (
        "\nReturns:\n    (..., M, ...).\n" in cumsum.text
        and "\nExample:\n    >>> aten.cumsum(" in cumsum.text
    )


def test_generated_functions_have_the_names_users_call(api) -> None:
    top = {entry.name: entry for entry in api.generated("")}
    assert top["mul"].signatures == ["mul(input, other, *, out=None) -> Tensor"]
    assert top["topk"].signatures[0].endswith("-> tuple[Tensor, Tensor]")
    assert "Returns (Tensor values, Tensor indices)." in top["topk"].text
    assert {"fft", "rfft"} <= {entry.name for entry in api.generated("fft")}
    assert not [name for name in top if name.startswith("_")]


def test_written_modules_are_read_with_what_they_import(api) -> None:
    found = {
        entry.name: entry for entry in api.written(ROOT / "python" / "aten" / "autograd" / "__init__.py")
    }
    assert {"Function", "no_grad", "gradcheck"} <= found.keys()  # taken from three files beside it
    assert found["gradcheck"].signatures[0].startswith("gradcheck(") and found["gradcheck"].text
    assert not [name for name in found if name.startswith("_")]
