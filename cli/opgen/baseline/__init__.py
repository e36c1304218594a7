"""The versions that `opgen breaking` compares: where they are (place.py, git.py), and reading them, as
`opgen dump` does: entries that can't be read are left out.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from opgen import pipeline
from opgen.baseline import dump
from opgen.baseline.faulty import parts
from opgen.baseline.place import KINDS, InCommit, OnDisk, Place, locate
from opgen.breaking import Finding, OldSignature, compare, deprecated
from opgen.diagnostics import Diagnostic, InputError, Report, Severity, did_you_mean, shown
from opgen.locate import unnamed
from opgen.model import FaultyPart, Program
from opgen.parse import source, yaml_source
from opgen.request import (
    CHECKS_FILE,
    COMPANIONS,
    DEPRECATED_FILE,
    DERIVATIVES_FILE,
    FUNCTIONS_FILE,
    TAGS_FILE,
    functions_path,
)

__all__ = ["Unreadable", "Version", "findings", "locate", "read"]

_BESIDE = {
    "tags": TAGS_FILE,
    "derivatives": DERIVATIVES_FILE,
    "checks": CHECKS_FILE,
    "deprecated": DEPRECATED_FILE,
}
_CANDIDATES = 3  # suggested files


class Unreadable(Exception):
    """Nothing of a file could be read; `report` has the faults, which are errors here."""

    def __init__(self, path: str, report: Report, faults: Iterable[Diagnostic]):
        self.path, self.report = path, report
        report.diagnostics = [replace(d, severity=Severity.error) for d in faults]
        super().__init__(path)


@dataclass(frozen=True, slots=True)
class Version:
    """`parts` are faults apart from the entries that gave no function (those are in the program).
    `deprecated` is None without a file of them. `is_dump`: parts of the model are unknown. `in_checkout`: for
    files of a commit, their paths in its checkout by their names in messages.
    """

    program: Program
    report: Report
    parts: tuple[FaultyPart, ...] = ()
    deprecated: tuple[OldSignature, ...] | None = None
    is_dump: bool = False
    in_checkout: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Texts:
    """The functions file and its companions, by kind, under the names that they have in messages."""

    path: Path
    data: bytes
    companions: dict[str, Path] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    in_checkout: dict[str, str] = field(default_factory=dict)


def read(place: Place) -> Version:
    """Raises InputError for a file that can't be read, Unreadable for one that is not of the format."""
    texts = _on_disk(place) if isinstance(place, OnDisk) else _in_commit(place)
    if _is_dump(texts):
        return _of_dump(texts)
    program, report = pipeline.load(
        texts.path,
        texts.companions.get("tags"),
        derivatives_file=texts.companions.get("derivatives"),
        checks_file=texts.companions.get("checks"),
        aten_file=texts.companions.get("aten"),
        lenient=True,
        checked=False,
        edited={str(texts.path): texts.data, **texts.contents},
    )
    deprecated = _deprecated(texts.companions.get("deprecated"), report)
    if report.given_up or (report.diagnostics and not program.functions):
        raise Unreadable(program.path, report, report.given_up or report.diagnostics)
    return Version(program, report, parts(program, report), deprecated, in_checkout=texts.in_checkout)


def findings(base: Version, new: Version) -> tuple[Finding, ...]:
    """Returns the changes from `base` to `new`."""
    old, now = base.program, new.program
    if base.is_dump or new.is_dump:
        old, now = dump.comparable(old), dump.comparable(now)
    return compare(old, now, (base.parts, new.parts), (base.deprecated, new.deprecated))


def _deprecated(file: Path | None, report: Report) -> tuple[OldSignature, ...] | None:
    text = None if file is None else source.read(str(file), report)
    return None if text is None else deprecated.read(yaml_source.items(text, report))


def _on_disk(place: OnDisk) -> _Texts:
    path = functions_path(place.path)
    data = source.contents(str(path), dump.MAX_BYTES)
    beside = {what: path.parent / name for what, name in _BESIDE.items()}
    there = {
        what: unnamed(file, f"--{what}")
        for what, file in beside.items()
        if what not in place.named and file.is_file()
    }
    companions = {**place.spare, **there, **place.named}
    return _Texts(Path(shown(str(path))), data, companions)


def _in_commit(place: InCommit) -> _Texts:
    with place.repository.files(place.commit) as files:
        path = _functions_path(place.path, files.is_folder(place.path))
        data = files.read(path, dump.MAX_BYTES)
        if data is None:
            raise InputError(_not_there(place, path))
        texts = _Texts(_name(place, path), data)
        texts.in_checkout[str(texts.path)] = place.repository.in_checkout(path)
        beside = {what: posixpath.join(posixpath.dirname(path), name) for what, name in _BESIDE.items()}
        for what in KINDS:
            for file in filter(None, (place.named.get(what), beside.get(what))):
                found = files.read(file, source.MAX_BYTES)
                if found is not None:
                    texts.companions[what] = name = _name(place, file)
                    texts.contents[str(name)] = found
                    texts.in_checkout[str(name)] = place.repository.in_checkout(file)
                    break
    return texts


def _functions_path(path: str, is_folder: bool) -> str:
    """Returns the functions file in a folder, or beside a companion."""
    if is_folder:
        return posixpath.join(path, FUNCTIONS_FILE)
    folder, name = posixpath.split(path)
    return posixpath.join(folder, FUNCTIONS_FILE) if name in COMPANIONS else path


def _name(place: InCommit, path: str) -> Path:
    return Path(shown(f"{place.ref}:{path}"))


def _not_there(place: InCommit, path: str) -> str:
    message = f"there is no {shown(path[-200:]) or 'file'} in {place.ref}"
    known = place.repository.paths(place.commit)
    names = (posixpath.basename(path), FUNCTIONS_FILE)  # a folder that was moved has another name
    candidates = next(filter(None, ([p for p in known if posixpath.basename(p) == n] for n in names)), [])
    found = " or ".join(f"{place.ref}:{shown(p)}" for p in candidates[:_CANDIDATES])
    help = f"did you mean {found}?" if found else did_you_mean(path, known)
    return f"{message}; {help}" if help else f"{message}; name another with REF:PATH"


def _is_dump(texts: _Texts) -> bool:
    return texts.path.suffix == ".json" or dump.begins(texts.data)


def _of_dump(texts: _Texts) -> Version:
    path = str(texts.path)
    program = dump.read(path, texts.data)
    return Version(program, Report(sources={path: lambda: _lines(texts.data)}), is_dump=True)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").split("\n")
