"""Where a version of the declarations is: a file or folder here, or a path in a commit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from opgen.baseline.git import Repository
from opgen.diagnostics import InputError, shown

_SHORT = 12  # digits of an abbreviated id
KINDS = ("tags", "derivatives", "checks", "aten", "deprecated")


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A path on disk. `named`: companion files given by name, by kind (KINDS), in place of those beside
    it; `spare` are used where none lie there.
    """

    path: Path
    named: Mapping[str, Path] = field(default_factory=dict)
    spare: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InCommit:
    """A path in a commit, relative to the repository's root, as are those of `named`; `ref` is as it was
    given, or the id of the merge base with the branch `left`.
    """

    repository: Repository
    ref: str
    commit: str
    path: str
    named: Mapping[str, str] = field(default_factory=dict)
    left: str = ""


Place = OnDisk | InCommit


def locate(text: str, named: Mapping[str, Path], new: Place | None = None, *, exact: bool = False) -> Place:
    """Returns the place that `text` names: an existing path, REF:PATH, or REF, which means the path of `new`
    in it.

    A branch alone means the merge base of that branch and `new`, and A...B the merge base of A and B; with
    `exact`, and as REF:PATH, a branch means its last commit.
    Without `new`, the place is the new version itself, with `named` files of its own, and REF means the
    folder `schemas`. Raises InputError, with what to do, for text that names no version.
    """
    if os.path.lexists(text):
        return OnDisk(Path(text), named) if new is None else OnDisk(Path(text), spare=named)
    beside = new or OnDisk(Path("schemas"))
    ref, colon, inner = text.partition(":")
    with _no_file_either(text):
        repository = _repository(beside, anywhere=bool(colon))
        ref, commit, left = _commit(repository, ref, new, exact or bool(colon))
    if colon:
        path = repository.path_of(inner)
    else:
        path = beside.path if isinstance(beside, InCommit) else _inside(repository, beside.path)
    return InCommit(repository, ref, commit, path, dict(_companions(repository, named)), left)


def parted(text: str) -> tuple[str, str] | None:
    """Returns A and B of A...B, as git reads it; an omitted one means HEAD."""
    if "..." not in text or os.path.lexists(text):
        return None
    one, _, other = text.partition("...")
    return one or "HEAD", other or "HEAD"


def _commit(repository: Repository, ref: str, new: Place | None, exact: bool) -> tuple[str, str, str]:
    """Returns (ref, commit, the branch that was left). For a branch, unless `exact`, the commit is its merge
    base with `new`.
    """
    both = parted(ref)
    if both is not None:
        one, other = both
        base = repository.merge_base(repository.commit(one), repository.commit(other))
        if base is None:
            raise repository.no_merge_base(one, other)
        return base[:_SHORT], base, one
    commit = repository.commit(ref)
    if exact or new is None or not repository.is_branch(ref):
        return ref, commit, ""
    ours = new.commit if isinstance(new, InCommit) else "HEAD"
    base = repository.merge_base(commit, ours)
    if base is None:
        raise repository.no_merge_base(ref, ours)
    return (ref, commit, "") if base == commit else (base[:_SHORT], base, ref)


def _repository(beside: Place, anywhere: bool) -> Repository:
    """Returns the repository of the current folder when a path is given, too; else, or where there is none,
    the repository of `beside`.
    """
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
    """The nearest existing folder at or above `path`."""
    folder = path if path.is_dir() else path.parent
    while not folder.is_dir():
        folder = folder.parent
    return folder


def _inside(repository: Repository, path: Path) -> str:
    """Returns `path` relative to the repository's root."""
    return repository.path_of(f"./{os.path.relpath(path, repository.folder)}")


def _companions(repository: Repository, named: Mapping[str, Path]) -> Iterator[tuple[str, str]]:
    """Yields the named files that lie in the repository: a commit's files of the same paths are used."""
    for what, path in named.items():
        with contextlib.suppress(InputError):
            yield what, _inside(repository, path)
