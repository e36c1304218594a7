"""Reading files of a git repository's commits: without a shell, without user input that git could take for an
option, without writing, checking out or fetching anything.
"""

from __future__ import annotations

import os
import posixpath
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from opgen.baseline import git_process
from opgen.baseline.git_process import Dialogue, clipped
from opgen.diagnostics import InputError, did_you_mean

MAX_REF = 1024

_DEEPEN = (
    "this clone is shallow and may not have it: `git fetch --unshallow`"
    " (GitHub: `with: {fetch-depth: 0}` of actions/checkout; GitLab: GIT_DEPTH: 0)"
)


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository that contains `folder`; `prefix` is the path from its root to that folder, ending with
    '/' unless it is empty.
    """

    folder: Path
    prefix: str
    shallow: bool

    @classmethod
    def at(cls, folder: Path) -> Repository:
        """Opens the repository that contains `folder`. Raises InputError where there is none, or no git."""
        done = git_process.run(folder, "rev-parse", "--show-prefix", "--is-shallow-repository")
        if done.code:
            raise InputError(f"{clipped(str(folder))} is in no git repository that can be read: {done.said}")
        prefix, _, shallow = os.fsdecode(done.out).rstrip("\n").rpartition("\n")
        return cls(folder, prefix, shallow == "true")

    def commit(self, ref: str) -> str:
        """Returns the id of the commit that `ref` names. Raises InputError with what to do."""
        if ref.startswith("-") or len(ref) > MAX_REF or not ref or not ref.isprintable():
            raise InputError(f"'{clipped(ref)}' is no name of a commit")
        asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        done = git_process.run(self.folder, *asked)
        found = done.out.decode("ascii", "replace").strip()
        if done.code == 0 and found.isalnum():
            return found
        where = clipped(os.path.abspath(self.folder))
        raise InputError(f"there is no commit '{clipped(ref)}' in the repository of {where}{self._help(ref)}")

    def is_branch(self, ref: str) -> bool:
        """Whether `ref` is a branch, local or remote. Tags and commits don't move."""
        asked = ("rev-parse", "--symbolic-full-name", "--verify", "--quiet", "--end-of-options", ref)
        name = os.fsdecode(git_process.run(self.folder, *asked).out)
        return name.startswith(("refs/heads/", "refs/remotes/"))

    def merge_base(self, one: str, other: str) -> str | None:
        """The merge base of two commits; None where they share none, or one of them is missing."""
        found = git_process.run(self.folder, "merge-base", one, other).out.decode("ascii", "replace").strip()
        return found if found.isalnum() else None

    def no_merge_base(self, one: str, other: str) -> InputError:
        what = f"'{clipped(one)}' and '{clipped(other)}' have no commit in common"
        exactly = "REF:PATH compares with the last commit of REF"
        return InputError(f"{what}; {_DEEPEN}; {exactly}" if self.shallow else f"{what}; {exactly}")

    def path_of(self, text: str) -> str:
        """`text` relative to the root: './' and '../' count from the folder, as in git."""
        relative = text.startswith(("./", "../")) or text in (".", "..")
        path = posixpath.normpath(posixpath.join(self.prefix if relative else "", text))
        outside = path == ".." or path.startswith(("/", "../"))
        if outside or "\n" in path or "\0" in path:
            raise InputError(f"'{clipped(text)}' is no path inside a repository; it counts from its root")
        return "" if path == "." else path

    def in_checkout(self, path: str) -> str:
        """Returns the path in the checkout of a path relative to the root."""
        return os.path.normpath(os.path.join(self.folder, os.path.relpath(path, self.prefix or ".")))

    def files(self, commit: str) -> Files:
        return Files(self, commit)

    def paths(self, commit: str) -> list[str]:
        """Returns the paths of all files of a commit."""
        done = git_process.run(self.folder, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
        return os.fsdecode(done.out).split("\0")[:-1]

    def not_had(self, commit: str, path: str, said: str) -> InputError:
        """Returns the error for an object of the commit that the repository lacks."""
        what = f"{clipped(path) or 'the folder'} of commit {commit[:12]}"
        partial = r"^(remote\..*\.(promisor|partialclonefilter)|extensions\.partialclone)$"
        if git_process.run(self.folder, "config", "--get-regexp", partial).code:
            return InputError(f"git cannot read {what}: {said}; `git fsck` checks the repository")
        parent = posixpath.dirname(path) or path
        words = ("git", "-C", os.path.abspath(self.in_checkout(".")), "archive", "-o", os.devnull, commit)
        brings = shlex.join((*words, parent) if parent else words)
        return InputError(
            f"this partial clone has not fetched {what}, and opgen fetches nothing;"
            f" `{clipped(brings)}` brings it, and a clone without --filter has it"
        )

    def _help(self, ref: str) -> str:
        if self.shallow:
            return f"; {_DEEPEN}"
        done = git_process.run(self.folder, "for-each-ref", "--format=%(refname:short)", "--count=10000")
        known = os.fsdecode(done.out).split()
        remote = next((name for name in known if name.partition("/")[2] == ref), None)
        help = f"did you mean '{remote}'?" if remote else did_you_mean(ref, known)
        return f"; {help}" if help else "; `git fetch` brings what others have pushed"


class Files:
    """The files of one commit, read by one git process; used in a `with`."""

    def __init__(self, repository: Repository, commit: str):
        self.repository, self.commit = repository, commit
        # Symbolic links are followed inside the commit, and nowhere else.
        self._git = Dialogue(repository.folder, "cat-file", "--batch", "--follow-symlinks")

    def __enter__(self) -> Files:
        self._git.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._git.__exit__(*error)

    def read(self, path: str, limit: int) -> bytes | None:
        """The file's bytes; None where there is no such file. Raises InputError for one that is too large,
        and for one that the commit has but the repository lacks.
        """
        kind, size = self._ask(path)
        if kind == "blob" and size > limit:
            raise InputError(f"{clipped(path)} of that commit is larger than {limit >> 20} MiB")
        data = self._contents(path, kind, size)
        return data if kind == "blob" else None

    def is_folder(self, path: str) -> bool:
        kind, size = self._ask(path)
        self._contents(path, kind, size)
        return kind == "tree"

    def _ask(self, path: str) -> tuple[str, int]:
        """Returns (kind, size) of the object at `path`; the kind is "missing" where there is none."""
        words = self._git.ask(f"{self.commit}:{path}").split()
        if not words:
            raise self.repository.not_had(self.commit, path, self._git.said)
        if len(words) >= 2 and words[-1].isdigit() and words[-2] != "missing":
            return words[-2], int(words[-1])
        return "missing", 0

    def _contents(self, path: str, kind: str, size: int) -> bytes:
        if kind == "missing":
            self._require_absent(path)
            return b""
        data = self._git.read(size)
        if data is None:
            raise self.repository.not_had(self.commit, path, self._git.said)
        return data

    def _require_absent(self, path: str) -> None:
        """Raises an error if the commit has the file: git before 2.39 reports an object as missing when a
        partial clone hasn't fetched it.
        """
        at = path
        while at:
            at, name = posixpath.split(at)
            kind, size = self._ask(at)
            if kind != "missing":
                tree = self._contents(at, kind, size)
                if kind != "tree" or os.fsencode(name) not in _names(tree, len(self.commit) // 2):
                    return
                break
        raise self.repository.not_had(self.commit, path, "the object is missing")


def _names(tree: bytes, id_size: int) -> list[bytes]:
    """Returns the names of the entries of a tree object."""
    return re.findall(rb"[0-7]+ ([^\0]+)\0[\s\S]{%d}" % id_size, tree)
