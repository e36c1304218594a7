"""The wheels of opgen and of a library name the licence and contain its text."""

from __future__ import annotations

import dataclasses
import email
import subprocess
import sys
import zipfile
from email.message import Message
from pathlib import Path

import pytest
from opgen import locate
from opgen.build.wheel import WheelSpec, write_wheel
from opgen.pipeline import generate
from opgen.request import LICENSE as LICENSE_NAME
from opgen.request import Request

ROOT = Path(__file__).resolve().parents[3]
LICENSE = (ROOT / "LICENSE").read_bytes()
SPEC = WheelSpec("tiny", "1.0", "-", "linux_x86_64", license_files={"opgen/LICENSE": LICENSE})


def metadata(wheel: Path) -> tuple[Message, dict[str, bytes]]:
    """Returns METADATA, and the other files of .dist-info by their path in it."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" in name]
        info = {name.partition(".dist-info/")[2]: archive.read(name) for name in names}
    return email.message_from_bytes(info.pop("METADATA")), info


def test_the_text_is_the_one_that_is_named() -> None:
    text = LICENSE.decode()
    assert text.startswith("BSD 3-Clause License\n\nCopyright (c) 2026, the opgen authors\n")
    assert "Neither the name of the copyright holder" in text  # the third clause
    assert LICENSE_NAME == "BSD-3-Clause"


def test_the_wheel_of_our_own_library_names_it(tmp_path: Path) -> None:
    request = Request(ROOT / "schemas", tmp_path / "tree", "aten")
    spec = dataclasses.replace(SPEC, license=request.license)
    fields, info = metadata(write_wheel(spec, [], tmp_path))
    assert fields["Metadata-Version"] == "2.4"  # the first that has the two fields
    assert fields["License-Expression"] == "BSD-3-Clause"
    assert fields.get_all("License-File") == ["opgen/LICENSE"]
    assert info["licenses/opgen/LICENSE"] == LICENSE
    assert b"licenses/opgen/LICENSE,sha256=" in info["RECORD"]


def test_a_library_of_users_carries_our_notice_and_claims_nothing(tmp_path: Path) -> None:
    request = Request(tmp_path / "native_functions.yaml", tmp_path / "tree", "tiny")
    spec = dataclasses.replace(SPEC, license=request.license)
    fields, info = metadata(write_wheel(spec, [], tmp_path / "dist"))
    assert "License-Expression" not in fields
    assert fields.get_all("License-File") == ["opgen/LICENSE"] and "licenses/opgen/LICENSE" in info


@pytest.mark.parametrize("extend", [None, "aten"])
def test_a_generated_tree_has_it(extend: str | None, tmp_path: Path) -> None:
    """A generated tree contains the licence, as trees are copied and passed on as sources."""
    file = tmp_path / "native_functions.yaml"
    file.write_text("- func: mine::f(Tensor self) -> Tensor\n")
    request = Request(file, tmp_path / "tree", "mine", extend=extend, stubs=True)
    generate(request)
    assert (request.out / "LICENSE").read_bytes() == (locate.share() / "LICENSE").read_bytes()


def test_the_wheel_of_opgen_names_it(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed (make build installs it)")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    [wheel] = tmp_path.iterdir()
    fields, info = metadata(wheel)
    assert fields["License-Expression"] == "BSD-3-Clause"
    assert fields.get_all("License-File") == ["LICENSE"]
    assert info["licenses/LICENSE"] == LICENSE
    assert "opgen/_share/LICENSE" in zipfile.ZipFile(wheel).namelist()  # for the trees that it generates
