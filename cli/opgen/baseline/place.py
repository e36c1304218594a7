"""Where a version of the declarations is: a file or folder here, or a path in a commit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from opgen.baseline.git import Repository
from opgen.diagnostics import InputError, shown

COMPANIONS = ("tags", "derivatives", "checks", "aten", "deprecated")


@dataclass(frozen=True, slots=True)
class OnDisk:
    """`named`: files that go with it and were named, by what they are (COMPANIONS), in place of those beside
    it; `spare` are those that serve where none lie there.
    """

    path: Path
    named: Mapping[str, Path] = field(default_factory=dict)
    spare: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InCommit:
    """`path` counts from the repository's root, as those of `named` do; `ref` is as it was given."""

    repository: Repository
    ref: str
    commit: str
    path: str
    named: Mapping[str, str] = field(default_factory=dict)


Place = OnDisk | InCommit


def locate(text: str, named: Mapping[str, Path], new: Place | None = None) -> Place:
    """What `text` stands for: a path that there is, REF:PATH, or REF, which means the path of `new` in it.

    Without `new` it is that itself, with `named` files of its own, and REF means the folder `schemas`. Raises
    InputError for what is no version, with what to do.
    """
    if os.path.lexists(text):
        return OnDisk(Path(text), named) if new is None else OnDisk(Path(text), spare=named)
    beside = new or OnDisk(Path("schemas"))
    ref, colon, inner = text.partition(":")
    with _no_file_either(text):
        repository = _repository(beside, anywhere=bool(colon))
        commit = repository.commit(ref)
    if colon:
        path = repository.path_of(inner)
    else:
        path = beside.path if isinstance(beside, InCommit) else _inside(repository, beside.path)
    return InCommit(repository, ref, commit, path, dict(_companions(repository, named)))


def _repository(beside: Place, anywhere: bool) -> Repository:
    """That of the current folder when a path is given, too; else, or where that is in none, of `beside`."""
    if anywhere:
        with contextlib.suppress(InputError):
            return Repository.at(Path())
    return beside.repository if isinstance(beside, InCommit) else Repository.at(_folder(beside.path))


@contextlib.contextmanager
def _no_file_either(text: str) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(f"there is no file '{shown(text[:200])}', and {error}") from None


def _folder(path: Path) -> Path:
    """The nearest folder at or above `path` that there is."""
    folder = path if path.is_dir() else path.parent
    while not folder.is_dir():
        folder = folder.parent
    return folder


def _inside(repository: Repository, path: Path) -> str:
    """`path` from the repository's root."""
    return repository.path_of(f"./{os.path.relpath(path, repository.folder)}")


def _companions(repository: Repository, named: Mapping[str, Path]) -> Iterator[tuple[str, str]]:
    """The named files that lie in the repository: their twins in a commit serve it."""
    for what, path in named.items():
        with contextlib.suppress(InputError):
            yield what, _inside(repository, path)
