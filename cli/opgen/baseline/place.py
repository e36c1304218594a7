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
COMPANIONS = ("tags", "derivatives", "checks", "aten", "deprecated")


@dataclass(frozen=True, slots=True)
class OnDisk:
    """`named`: companion files given by name, by kind (COMPANIONS), in place of those beside it; `spare` are
    the ones used where none lie there.
    """

    path: Path
    named: Mapping[str, Path] = field(default_factory=dict)
    spare: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InCommit:
    """`path` counts from the repository's root, as those of `named` do; `ref` is as it was given, or the id
    of the merge base with the branch `left`.
    """

    repository: Repository
    ref: str
    commit: str
    path: str
    named: Mapping[str, str] = field(default_factory=dict)
    left: str = ""


Place = OnDisk | InCommit


def locate(text: str, named: Mapping[str, Path], new: Place | None = None, *, exact: bool = False) -> Place:
    """What `text` stands for: a path that there is, REF:PATH, or REF, which means the path of `new` in it.

    A branch alone means the commit at which that of `new` left it, and A...B the one at which A and B parted;
    with `exact`, and as REF:PATH, a branch means its last commit.
    Without `new` it is that itself, with `named` files of its own, and REF means the folder `schemas`. Raises
    InputError for what is no version, with what to do.
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
    """A and B of A...B, as git has it; either may be left out, for HEAD."""
    if "..." not in text or os.path.lexists(text):
        return None
    one, _, other = text.partition("...")
    return one or "HEAD", other or "HEAD"


def _commit(repository: Repository, ref: str, new: Place | None, exact: bool) -> tuple[str, str, str]:
    """(ref, commit, the branch that was left). Of a branch, unless `exact`, it is the commit at which `new`
    left it.
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
    """The repository of the current folder when a path is given, too; else, or where that is in none, the one
    of `beside`.
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
    """`path` from the repository's root."""
    return repository.path_of(f"./{os.path.relpath(path, repository.folder)}")


def _companions(repository: Repository, named: Mapping[str, Path]) -> Iterator[tuple[str, str]]:
    """The named files that lie in the repository: a commit's files of the same paths are used."""
    for what, path in named.items():
        with contextlib.suppress(InputError):
            yield what, _inside(repository, path)
