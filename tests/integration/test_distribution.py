"""The tested library's wheel has a correct platform tag and bill of materials."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import aten
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel() -> Path:
    found = sorted((ROOT / "dist").glob(f"aten-{aten.__version__}-*.whl"))
    if not found:
        pytest.skip("dist/ has no wheel of the library (make build)")
    assert len(found) == 1
    return found[0]


def test_its_name_says_what_auditwheel_finds(wheel: Path) -> None:
    pytest.importorskip("auditwheel", reason="auditwheel is not installed (make test installs it)")
    command = [sys.executable, "-m", "auditwheel", "show", wheel.name]
    said = subprocess.run(command, cwd=wheel.parent, capture_output=True, text=True, check=True).stdout
    found = re.search(r'platform tag:\s+"(\w+)', " ".join(said.split()))
    assert found and wheel.stem.endswith(f"-{found[1]}"), said


def test_its_bill_of_materials(wheel: Path) -> None:
    pytest.importorskip("cyclonedx", reason="cyclonedx-python-lib is not installed (make test installs it)")
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    archive = zipfile.ZipFile(wheel)
    text = archive.read(f"aten-{aten.__version__}.dist-info/sboms/aten.cdx.json").decode()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert not re.search(r"\d\d:\d\d:\d\d|/(home|root|tmp)/", text)
    files = {c["name"]: c["hashes"][0]["content"] for c in json.loads(text)["components"] if "hashes" in c}
    assert set(files) == {name for name in archive.namelist() if name.endswith(".so")}
    assert files == {name: hashlib.sha256(archive.read(name)).hexdigest() for name in files}
