"""What `make` installs is locked: requirements/*.txt name every dependency that pyproject.toml declares, by
version and hash, and agree among themselves.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from house import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = ROOT / "requirements"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# The contents of each lock: extras of pyproject.toml, and requirements of files beside it.
LOCKS = {
    "build.txt": (("build", "numpy", "linalg"), "build-system.in"),
    "test.txt": (("numpy", "test"), None),
    "lint.txt": (("numpy", "test", "lint"), None),
    "docs.txt": (("docs",), None),
    "lock.txt": (("lock",), None),
    "torch.txt": (("numpy", "test", "oracle"), None),
}
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\Z")

Pins = dict[str, list[Requirement]]


def entries(text: str) -> Iterator[list[str]]:
    """Yields the requirement and the hashes of each entry."""
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    for entry in "\n".join(lines).replace("\\\n", "\0").splitlines():
        yield [part.strip() for part in entry.split("\0")]


def pins(text: str) -> Pins:
    found: Pins = {}
    for requirement, *_ in entries(text):
        parsed = Requirement(requirement)
        found.setdefault(canonicalize_name(parsed.name), []).append(parsed)
    return found


def applies(requirement: Requirement, python: str) -> bool:
    if requirement.marker is None:
        return True
    platform = {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64"}
    versions = {"python_version": python, "python_full_version": f"{python}.0"}
    return requirement.marker.evaluate({**platform, **versions, "extra": ""})


def version(locked: Pins, name: str, python: str) -> str | None:
    """Returns the version that is installed for this Python, if any."""
    found = [str(r.specifier) for r in locked.get(canonicalize_name(name), ()) if applies(r, python)]
    assert len(found) < 2, f"{name} is locked more than once for Python {python}: {found}"
    return found[0].removeprefix("==") if found else None


def missing(wanted: list[str], locked: Pins) -> list[str]:
    """Returns the requirements that are not locked, or locked to a version that isn't allowed."""
    faults = []
    for text in wanted:
        requirement = Requirement(text)
        for python in filter(lambda p: applies(requirement, p), PYTHONS):
            got = version(locked, requirement.name, python)
            if got is None or not requirement.specifier.contains(got, prereleases=True):
                faults.append(f"Python {python}: {text} is locked to {got}")
    return faults


def declared(project: dict, extras: tuple[str, ...], file: str | None) -> list[str]:
    wanted = list(project["project"]["dependencies"])
    for extra in extras:
        wanted += project["project"]["optional-dependencies"][extra]
    if file:
        wanted += [line for line, *_ in entries((FOLDER / file).read_text())]
    return wanted


@pytest.fixture(scope="module")
def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_what_is_declared(project: dict, name: str) -> None:
    faults = missing(declared(project, *LOCKS[name]), pins((FOLDER / name).read_text()))
    assert not faults, f"requirements/{name}: run `make lock`"


def test_the_oracle_is_locked_without_its_cuda_packages(project: dict) -> None:
    """oracle.txt and torch-cpu.txt together have the packages of the extra `oracle`."""
    locked = pins((FOLDER / "oracle.txt").read_text()) | pins((FOLDER / "torch-cpu.txt").read_text())
    assert not missing(declared(project, ("numpy", "test", "oracle"), None), locked)
    left_out = [line for line, *_ in entries((FOLDER / "cuda.in").read_text())]
    assert not [name for name in locked if name in left_out or name.startswith("nvidia-")]


def test_the_build_backend_is_locked(project: dict) -> None:
    locked = pins((FOLDER / "build.txt").read_text())
    assert not missing(project["build-system"]["requires"], locked)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.name)
def test_every_entry_has_one_version_and_hashes(file: Path) -> None:
    for requirement, *hashes in entries(file.read_text()):
        assert re.fullmatch(r"==[^,*]+", str(Requirement(requirement).specifier)), requirement
        assert hashes and all(HASH.match(h) for h in hashes), requirement


def test_locks_agree() -> None:
    """The locks agree, as they are installed into one environment."""
    for python in PYTHONS:
        seen: dict[str, str] = {}
        for file in sorted(FOLDER.glob("*.txt")):
            locked = pins(file.read_text())
            for name in locked:
                got = version(locked, name, python)
                if got is not None:
                    plain = got.partition("+")[0]
                    assert seen.setdefault(name, plain) == plain, f"{file.name}: {name} for Python {python}"


def test_no_index_is_named() -> None:
    """No index is named: the user's configuration decides where packages come from."""
    bad = [f.name for f in FOLDER.iterdir() if re.search(r"://|--(extra-)?index|--find-links", f.read_text())]
    assert not bad


def test_make_installs_nothing_else() -> None:
    text = (ROOT / "Makefile").read_text()
    commands = [line.strip() for line in text.splitlines() if re.search(r"\$\(PIP\)|pip install", line)]
    assert sorted(commands) == [
        "$(PIP) --no-deps --no-build-isolation -e .",
        "INSTALL := $(PIP) --require-hashes --only-binary :all:",
        "PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check",
    ]
    used = set(re.findall(r"\$\(INSTALL\)[^\n]*?requirements/([\w-]+\.txt)", text))
    assert used == {file.name for file in FOLDER.glob("*.txt")}


def test_drift_is_found(project: dict) -> None:
    """An added dependency, a raised minimum, and a missing lock are found."""
    text = (FOLDER / "build.txt").read_text()
    assert missing(["nowhere-to-be-found>=1"], pins(text))
    assert missing(["click>=10000"], pins(text))
    without = re.sub(r"^mako==.*?(?=^\S)", "", text, flags=re.MULTILINE | re.DOTALL)
    assert missing(declared(project, (), None), pins(without))
