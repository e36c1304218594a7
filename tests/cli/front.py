"""What the tests of the generator's front share: checking a text, and the reference data to compare with."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from opgen.check import check
from opgen.diagnostics import Diagnostic, Report
from opgen.expand import expand
from opgen.model import Program
from opgen.parse import functions, source, tags, yaml_source

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"


def checked(text: str | bytes) -> tuple[Program, list[Diagnostic]]:
    """The program of a file with this text, and all that is wrong with it."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    report = Report()
    read = source.decode("FILE", data, report)
    items = yaml_source.items(read, report) if read is not None else []
    declared, faulty = functions.read(items, report)
    program = expand(Program("FILE", tuple(declared), tags.built_in(), faulty=faulty))
    check(program, report)
    return program, report.sorted()


def shared(*parts: str) -> Path:
    """A file of the reference data; the test is skipped where there is none."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs ../shared/{'/'.join(parts)}")
    return path


def pytorch_yaml() -> Path:
    """The functions file of the installed torchgen; the test is skipped without it."""
    spec = importlib.util.find_spec("torchgen")
    if spec is None:
        pytest.skip("needs torchgen (extra 'oracle')")
    return Path(spec.origin).parent / "packaged/ATen/native/native_functions.yaml"
