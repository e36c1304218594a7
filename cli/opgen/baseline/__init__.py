"""The versions that `opgen breaking` compares: where they are (place.py, git.py), and reading them, whole or
not at all. Files of other releases are read as `opgen dump` reads them.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field, replace
from pathlib import Path

from opgen import pipeline
from opgen.baseline import dump, unread
from opgen.baseline.place import COMPANIONS, InCommit, OnDisk, Place, locate
from opgen.baseline.unread import Unread
from opgen.diagnostics import InputError, Report, Severity, did_you_mean
from opgen.model import Program
from opgen.parse import source, yaml_rules
from opgen.request import FUNCTIONS_FILE, functions_path

__all__ = ["Unreadable", "Version", "locate", "read"]

_BESIDE = {"tags": pipeline.TAGS_FILE, "derivatives": pipeline.DERIVATIVES_FILE}
_BROKEN = frozenset(rule.code for rule in yaml_rules.RULES)


class Unreadable(Exception):
    """Nothing can be said of this version; `report` has the faults."""

    def __init__(self, path: str, report: Report):
        self.path, self.report = path, report
        super().__init__(path)


@dataclass(frozen=True, slots=True)
class Version:
    """`unread`: entries that gave no function. `is_dump`: so not all of it is known."""

    program: Program
    report: Report
    unread: tuple[Unread, ...] = ()
    is_dump: bool = False


@dataclass(frozen=True, slots=True)
class _Texts:
    """The functions file and the files that go with it, by what they are, under the names that they have in
    messages.
    """

    path: Path
    data: bytes
    companions: dict[str, Path] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)


def read(place: Place) -> Version:
    """Raises InputError for a file that cannot be had, Unreadable for one that is not of the format."""
    texts = _on_disk(place) if isinstance(place, OnDisk) else _in_commit(place)
    if _is_dump(texts):
        return _of_dump(texts)
    program, report = pipeline.load(
        texts.path,
        texts.companions.get("tags"),
        derivatives_file=texts.companions.get("derivatives"),
        aten_file=texts.companions.get("aten"),
        lenient=True,
        checked=False,
        edited={str(texts.path): texts.data, **texts.contents},
    )
    left_out = unread.entries(program, report)
    broken = [d for d in report.diagnostics if d.code in _BROKEN]
    if broken or (left_out and not program.functions):
        report.diagnostics = [replace(d, severity=Severity.error) for d in broken or report.diagnostics]
        raise Unreadable(program.path, report)
    return Version(program, report, left_out)


def _on_disk(place: OnDisk) -> _Texts:
    path = functions_path(place.path)
    data = source.contents(str(path), dump.MAX_BYTES)
    beside = {what: path.parent / name for what, name in _BESIDE.items()}
    companions = {what: file for what, file in beside.items() if file.is_file()} | dict(place.named)
    return _Texts(Path(source.shown(str(path))), data, companions)


def _in_commit(place: InCommit) -> _Texts:
    with place.repository.files(place.commit) as files:
        path = posixpath.join(place.path, FUNCTIONS_FILE) if files.is_folder(place.path) else place.path
        data = files.read(path, dump.MAX_BYTES)
        if data is None:
            raise InputError(_not_there(place, path))
        texts = _Texts(_name(place, path), data)
        beside = {what: posixpath.join(posixpath.dirname(path), name) for what, name in _BESIDE.items()}
        for what in COMPANIONS:
            for file in filter(None, (place.named.get(what), beside.get(what))):
                found = files.read(file, source.MAX_BYTES)
                if found is not None:
                    texts.companions[what] = _name(place, file)
                    texts.contents[str(_name(place, file))] = found
                    break
    return texts


def _name(place: InCommit, path: str) -> Path:
    return Path(source.shown(f"{place.ref}:{path}"))


def _not_there(place: InCommit, path: str) -> str:
    message = f"there is no {source.shown(path) or 'file'} in {place.ref}"
    known = place.repository.paths(place.commit)
    candidates = [p for p in known if posixpath.basename(p) == posixpath.basename(path)]
    help = f"did you mean {place.ref}:{candidates[0]}?" if candidates else did_you_mean(path, known)
    return f"{message}; {help}" if help else f"{message}; name another with REF:PATH"


def _is_dump(texts: _Texts) -> bool:
    return texts.path.suffix == ".json" or dump.begins(texts.data)


def _of_dump(texts: _Texts) -> Version:
    path = str(texts.path)
    program, left_out = dump.read(path, texts.data)
    return Version(program, Report(sources={path: lambda: _lines(texts.data)}), left_out, is_dump=True)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").split("\n")
