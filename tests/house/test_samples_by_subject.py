"""The sample rows of an operator are in a module of its subject: tests/ops/samples/scan.py has those of
cumprod.
"""

from __future__ import annotations

import importlib

import pytest
from house import ROOT, subjects

FOLDER = "tests/ops/samples"
SCHEMAS = "schemas/native_functions.yaml"


@pytest.fixture(scope="module")
def names() -> dict[str, list[str]]:
    """Returns the operators that each module has rows for; `folder.module` is one in a folder."""
    pytest.importorskip("aten", reason="rows make tensors: `make build` installs the library")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tests" / "ops"))
        samples = importlib.import_module("samples")
    return {m.__name__.partition(".")[2]: [row.name for row in m.ROWS] for m in samples.MODULES}


def of_subject(module: str, subject: str) -> bool:
    return f"{module.rpartition('.')[2]}_".startswith(f"{subject}_")


def strays(names: dict[str, list[str]], subject_of: dict[str, str]) -> list[str]:
    """Returns the rows that are not in a module of their operator's subject, each with the module where it
    belongs.
    """
    found = []
    for module, operators in names.items():
        for operator in dict.fromkeys(operators):
            subject = subject_of.get(operator)
            if subject is None:
                found.append(f"{FOLDER}/{module}.py: {operator} is not declared in {SCHEMAS}")
            elif not of_subject(module, subject):
                there = [m for m in names if of_subject(m, subject)] or [subject]
                places = " or ".join(f"{FOLDER}/{m}.py" for m in there)
                found.append(
                    f"{FOLDER}/{module}.py: {operator} is of {subject} ({SCHEMAS}): move its rows to {places}"
                )
    return found


def test_rows_are_in_their_subject(names: dict[str, list[str]]) -> None:
    assert sum(map(len, names.values())) > 600
    found = strays(names, subjects())
    assert not found, "\n".join(found)


def test_subjects_are_read() -> None:
    found = subjects()
    some = ("cumprod", "fill", "__and__", "add", "diagonal")
    assert [found[name] for name in some] == ["scan", "copy", "elementwise", "elementwise", "views"]
    assert "fill_" not in found


def test_a_stray_row_is_told_its_place() -> None:
    subject_of = {"tile": "shape", "l1_loss": "loss", "cumsum": "scan"}
    names = {"loss": [], "loss_pairs": ["l1_loss"], "padding": ["tile", "tile", "l1_loss"], "shape": ["tile"]}
    assert strays(names, subject_of) == [
        f"{FOLDER}/padding.py: tile is of shape ({SCHEMAS}): move its rows to {FOLDER}/shape.py",
        f"{FOLDER}/padding.py: l1_loss is of loss ({SCHEMAS}): move its rows to {FOLDER}/loss.py or "
        f"{FOLDER}/loss_pairs.py",
    ]
    assert strays({"shape": ["cumsum"]}, subject_of)[0].endswith(f"move its rows to {FOLDER}/scan.py")
    assert strays({"shape": ["til"]}, subject_of) == [f"{FOLDER}/shape.py: til is not declared in {SCHEMAS}"]
