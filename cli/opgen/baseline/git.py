"""Reading files out of a git repository's commits: never a shell, never a word of the user's that git could
take for an option, nothing written, nothing checked out.
"""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from opgen.diagnostics import InputError, did_you_mean

MAX_REF = 1024
SECONDS = 120

# Those by which a hook or script points git at one repository: here the folder says which is meant.
_LOCAL = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES"),
)
_QUIET = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}

_DEEPEN = (
    "this clone is shallow and may not have it: `git fetch --unshallow`"
    " (GitHub: `with: {fetch-depth: 0}` of actions/checkout; GitLab: GIT_DEPTH: 0)"
)


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository that `folder` lies in; `prefix` is the way from its root to that folder, ending with
    '/' where it is not empty.
    """

    folder: Path
    prefix: str
    shallow: bool

    @classmethod
    def at(cls, folder: Path) -> Repository:
        """Raises InputError where there is none, or no git."""
        asked = ("rev-parse", "--show-prefix", "--is-shallow-repository")
        done = _git(folder, asked)
        if done.returncode:
            raise InputError(f"{_shown(str(folder))} is in no git repository that can be read: {_said(done)}")
        prefix, _, shallow = os.fsdecode(done.stdout).rstrip("\n").rpartition("\n")
        return cls(folder, prefix, shallow == "true")

    def commit(self, ref: str) -> str:
        """The id of the commit that `ref` names. Raises InputError that says what to do."""
        if ref.startswith("-") or len(ref) > MAX_REF or not ref or not ref.isprintable():
            raise InputError(f"'{_shown(ref)}' is no name of a commit")
        asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        done = _git(self.folder, asked)
        found = done.stdout.decode("ascii", "replace").strip()
        if done.returncode == 0 and found.isalnum():
            return found
        where = _shown(os.path.abspath(self.folder))
        raise InputError(f"there is no commit '{_shown(ref)}' in the repository of {where}{self._help(ref)}")

    def path_of(self, text: str) -> str:
        """`text` from the root: what begins with './' or '../' counts from the folder, as git has it."""
        relative = text.startswith(("./", "../")) or text in (".", "..")
        path = posixpath.normpath(posixpath.join(self.prefix if relative else "", text))
        outside = path == ".." or path.startswith(("/", "../"))
        if outside or "\n" in path or "\0" in path:
            raise InputError(f"'{_shown(text)}' is no path inside a repository; it counts from its root")
        return "" if path == "." else path

    def in_checkout(self, path: str) -> str:
        """Where a path from the root is in the checkout."""
        return os.path.normpath(os.path.join(self.folder, os.path.relpath(path, self.prefix or ".")))

    def files(self, commit: str) -> Files:
        return Files(self, commit)

    def paths(self, commit: str) -> list[str]:
        """All files of a commit."""
        done = _git(self.folder, ("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit))
        return os.fsdecode(done.stdout).split("\0")[:-1]

    def _help(self, ref: str) -> str:
        if self.shallow:
            return f"; {_DEEPEN}"
        done = _git(self.folder, ("for-each-ref", "--format=%(refname:short)", "--count=10000"))
        known = os.fsdecode(done.stdout).split()
        remote = next((name for name in known if name.partition("/")[2] == ref), None)
        help = f"did you mean '{remote}'?" if remote else did_you_mean(ref, known)
        return f"; {help}" if help else "; `git fetch` brings what others have pushed"


class Files:
    """The files of one commit, read through one process of git's; to be used in a `with`."""

    def __init__(self, repository: Repository, commit: str):
        self.repository, self.commit = repository, commit

    def __enter__(self) -> Files:
        # Symbolic links are followed inside the commit, and nowhere else.
        asked = ("cat-file", "--batch", "--follow-symlinks")
        self._process = subprocess.Popen(
            _command(asked),
            cwd=self.repository.folder,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def read(self, path: str, limit: int) -> bytes | None:
        """The file's bytes; None where there is no such file. Raises InputError for one that is too large."""
        kind, size = self._ask(path)
        if kind == "blob" and size > limit:
            raise InputError(f"{_shown(path)} of that commit is larger than {limit >> 20} MiB")
        data = b"" if kind == "missing" else self._process.stdout.read(size + 1)[:size]
        return data if kind == "blob" else None

    def is_folder(self, path: str) -> bool:
        kind, size = self._ask(path)
        if kind != "missing":
            self._process.stdout.read(size + 1)
        return kind == "tree"

    def _ask(self, path: str) -> tuple[str, int]:
        """(kind, size): of what follows in the answer, which a missing object has none of."""
        self._process.stdin.write(os.fsencode(f"{self.commit}:{path}\n"))
        self._process.stdin.flush()
        words = os.fsdecode(self._process.stdout.readline()).split()
        if len(words) >= 2 and words[-1].isdigit() and words[-2] != "missing":
            return words[-2], int(words[-1])
        if not words:
            why = "a partial clone fetches it from its remote, which may be out of reach"
            raise InputError(f"git cannot read {_shown(path)} of commit {self.commit[:12]}; {why}")
        return "missing", 0


def _git(folder: Path, words: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            _command(words),
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
        )
    except FileNotFoundError as error:
        if error.filename != "git":
            raise
        raise InputError("git is not installed here, so no commit can be read; name a file") from None
    except subprocess.TimeoutExpired:
        raise InputError(f"git took more than {SECONDS} seconds") from None


def _command(words: Sequence[str]) -> list[str]:
    return ["git", "--no-pager", "--literal-pathspecs", *words]


def _environment() -> Mapping[str, str]:
    return {**{k: v for k, v in os.environ.items() if k not in _LOCAL}, **_QUIET}


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    """What git says of its failure, on one line."""
    words = os.fsdecode(done.stderr).split()
    return _shown(" ".join(words).removeprefix("fatal: "))[:400] or f"git ended with {done.returncode}"


def _shown(text: str) -> str:
    text = text if len(text) <= 200 else f"{text[:200]}..."
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
