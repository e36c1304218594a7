"""The metadata of a wheel: its platform tag and its bill of materials."""

from __future__ import annotations

import email
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest
from opgen import config
from opgen.build import elf, sbom
from opgen.build.platform_tag import platform_tag
from opgen.build.wheel import WheelSpec, write_wheel
from opgen.commands import building
from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

COMPILER = shutil.which("c++")
LINUX = sys.platform == "linux" and "x86_64" in platform_tag([])
needs_compiler = pytest.mark.skipif(not (COMPILER and LINUX), reason="no C++ compiler on Linux on x86-64")

SOURCES = {
    # No version later than that of the oldest policy.
    "old": 'extern "C" int one() { return 1; }',
    # std::to_chars for double came with GLIBCXX_3.4.29.
    "digits": "#include <charconv>\nchar* f(char* a, char* b) { return std::to_chars(a, b, 0.5).ptr; }",
    # hypotf has a new version since glibc 2.35.
    "square": "#include <math.h>\nfloat f(float x, float y) { return hypotf(x, y); }",
}


def compiled(folder: Path, name: str, *options: str) -> Path:
    source, library = folder / f"{name}.cpp", folder / f"lib{name}.so"
    source.write_text(SOURCES[name])
    command = [COMPILER, "-std=c++20", "-shared", "-fPIC", "-O1", *options, "-o", library, source]
    subprocess.run(command, check=True)
    return library


def audited(wheel: Path) -> str:
    """Returns the platform that auditwheel finds."""
    command = [sys.executable, "-m", "auditwheel", "show", wheel.name]
    said = subprocess.run(command, cwd=wheel.parent, capture_output=True, text=True, check=True).stdout
    found = re.search(r'platform tag:\s+"(\w+)', " ".join(said.split()))
    assert found, said
    return found[1]


@needs_compiler
@pytest.mark.parametrize("name", SOURCES)
def test_the_tag_is_the_one_auditwheel_finds(name: str, tmp_path: Path) -> None:
    pytest.importorskip("auditwheel", reason="auditwheel is not installed (make test installs it)")
    library = compiled(tmp_path, name)
    tag = platform_tag([library])
    wheel = write_wheel(WheelSpec("tiny", "1.0", "-", tag), [("tiny/lib/" + library.name, library)], tmp_path)
    # auditwheel knows policies before manylinux_2_17, which no release of pip in use needs.
    expected = re.sub(r"_2_(5|12)_", "_2_17_", audited(wheel))
    assert tag == expected


@needs_compiler
def test_a_library_that_is_not_there_everywhere(tmp_path: Path) -> None:
    """The wheel is for this machine only, unless it contains the library itself."""
    other = compiled(tmp_path, "old")
    library = compiled(tmp_path, "digits", "-Wl,--no-as-needed", f"-L{tmp_path}", "-lold")
    needed = elf.read_needs(library)
    assert needed is not None and "libold.so" in needed.libraries
    assert platform_tag([library]) == "linux_x86_64"
    assert platform_tag([library, other]).startswith("manylinux_2_")


def needing(versions: dict[str, tuple[str, ...]], monkeypatch) -> str:
    monkeypatch.setattr(elf, "read_needs", lambda _: elf.Needs(tuple(versions), versions))
    return platform_tag([Path("libx.so")])


@pytest.mark.skipif(not LINUX, reason="the policies are those of Linux on x86-64")
@pytest.mark.parametrize(
    ("library", "version", "tag"),
    [
        ("libc.so.6", "GLIBC_2.17", "manylinux_2_17_x86_64"),
        ("libc.so.6", "GLIBC_2.18", "manylinux_2_24_x86_64"),
        ("libc.so.6", "GLIBC_2.25", "manylinux_2_26_x86_64"),
        ("libc.so.6", "GLIBC_2.27", "manylinux_2_27_x86_64"),
        ("libc.so.6", "GLIBC_2.28", "manylinux_2_28_x86_64"),
        ("libc.so.6", "GLIBC_2.30", "manylinux_2_31_x86_64"),
        ("libc.so.6", "GLIBC_2.34", "manylinux_2_34_x86_64"),
        ("libc.so.6", "GLIBC_2.35", "manylinux_2_35_x86_64"),
        ("libc.so.6", "GLIBC_2.36", "manylinux_2_36_x86_64"),
        ("libc.so.6", "GLIBC_2.37", "manylinux_2_37_x86_64"),
        ("libc.so.6", "GLIBC_2.38", "manylinux_2_38_x86_64"),
        ("libc.so.6", "GLIBC_2.39", "manylinux_2_39_x86_64"),
        ("libc.so.6", "GLIBC_2.40", "manylinux_2_40_x86_64"),
        ("libc.so.6", "GLIBC_2.41", "manylinux_2_41_x86_64"),
        ("libc.so.6", "GLIBC_2.99", "linux_x86_64"),
        ("libc.so.6", "GLIBC_ABI_DT_RELR", "manylinux_2_36_x86_64"),
        ("libstdc++.so.6", "GLIBCXX_3.4.9", "manylinux_2_17_x86_64"),
        ("libstdc++.so.6", "GLIBCXX_3.4.30", "manylinux_2_35_x86_64"),
        ("libstdc++.so.6", "CXXABI_1.3.15", "manylinux_2_39_x86_64"),
        ("libstdc++.so.6", "CXXABI_TM_1", "manylinux_2_17_x86_64"),
        ("libgcc_s.so.1", "GCC_12.0.0", "manylinux_2_35_x86_64"),
    ],
)
def test_a_version_decides(library: str, version: str, tag: str, monkeypatch) -> None:
    assert needing({library: (version,)}, monkeypatch) == tag


def test_other_files_need_nothing(tmp_path: Path) -> None:
    file = tmp_path / "libx.so"
    file.write_bytes(b"\x7fELF\x01\x01 of 32 bits")
    assert elf.read_needs(file) is None
    file.write_bytes(b"\x7fELF\x02\x01 cut off")
    with pytest.raises(ValueError, match=r"libx\.so: not a complete ELF file"):
        elf.read_needs(file)


SUBJECT = sbom.Subject("tiny", "1.0", "0" * 64)
GNU = sbom.Compiler("CXX", "GNU", "12.2.0")
NVIDIA = sbom.Compiler("CUDA", "NVIDIA", "12.4.131")


@needs_compiler
def test_the_bill_lists_what_the_wheel_holds(tmp_path: Path) -> None:
    objects = {"tiny/lib/libdigits.so": compiled(tmp_path, "digits")}
    bill = json.loads(sbom.bill(SUBJECT, [GNU, NVIDIA], objects))
    parts = {part["bom-ref"]: part for part in bill["components"]}
    assert parts["tiny/lib/libdigits.so"]["hashes"][0]["alg"] == "SHA-256"
    assert (parts["libgcc"]["version"], parts["cudart_static"]["version"]) == ("12.2.0", "12.4.131")
    versions = [p["value"] for p in parts["libstdc++.so.6"]["properties"]]
    assert "GLIBCXX_3.4.29" in versions
    held = next(d["dependsOn"] for d in bill["dependencies"] if d["ref"] == "tiny")
    assert held == ["cudart_static", "libgcc", "tiny/lib/libdigits.so"]
    refs = {"tiny", *parts}
    assert all({d["ref"], *d["dependsOn"]} <= refs for d in bill["dependencies"])


@needs_compiler
def test_the_bill_is_cyclonedx_and_the_same_each_time(tmp_path: Path) -> None:
    pytest.importorskip("cyclonedx", reason="cyclonedx-python-lib is not installed (make test installs it)")
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    objects = {f"tiny/lib/lib{name}.so": compiled(tmp_path, name) for name in ("square", "old")}
    bill = sbom.bill(SUBJECT, [GNU], objects)
    assert bill == sbom.bill(SUBJECT, [GNU], dict(reversed(objects.items())))
    assert str(tmp_path).encode() not in bill
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill.decode()) is None


def test_compilers_are_those_that_cmake_wrote_down(tmp_path: Path) -> None:
    folder = tmp_path / "CMakeFiles" / "4.4.4"
    folder.mkdir(parents=True)
    text = 'set(CMAKE_CXX_COMPILER "/usr/bin/c++")\nset(CMAKE_CXX_COMPILER_ID "GNU")\n'
    text += 'set(CMAKE_CXX_COMPILER_VERSION "12.2.0")\nset(CMAKE_CXX_COMPILER_VERSION_INTERNAL "")\n'
    (folder / "CMakeCXXCompiler.cmake").write_text(text)
    assert sbom.compilers(tmp_path) == [GNU]


def test_extras_are_in_the_metadata(tmp_path: Path) -> None:
    extras = (("plots", "matplotlib>=3.9"), ("plots", "pillow"), ("fast", "numpy~=2.0, !=2.1"))
    wheel = write_wheel(WheelSpec("tiny", "1.0", "-", "linux_x86_64", extras=extras), [], tmp_path)
    with zipfile.ZipFile(wheel) as archive:
        fields = email.message_from_bytes(archive.read("tiny-1.0.dist-info/METADATA"))
    assert fields.get_all("Provides-Extra") == ["plots", "fast"]
    wanted = [Requirement(text) for text in fields.get_all("Requires-Dist", [])]
    for extra in ("plots", "fast", ""):
        chosen = {r.name for r in wanted if r.marker and r.marker.evaluate({"extra": extra})}
        assert chosen == {name.split("~")[0].split(">")[0] for e, name in extras if e == extra}


@pytest.mark.parametrize(
    "given", ["plots", "plots:", ":pillow", "Plots:pillow", "p:pillow; x", "p:a\nName: b"]
)
def test_an_extra_is_a_name_and_a_requirement(given: str, tmp_path: Path) -> None:
    with pytest.raises(click.BadParameter, match="expected an extra"):
        building._extras(None, None, (given,))  # type: ignore[arg-type]


def test_our_library_has_the_extra_of_its_lock() -> None:
    """`make build` installs what the wheel names."""
    root = Path(__file__).resolve().parents[3]
    [(name, wanted)] = building._extras(None, None, (config.read(root).build["extra"]))  # type: ignore[arg-type]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["optional-dependencies"][name] == [wanted]
