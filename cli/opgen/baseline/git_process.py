"""Running git on an untrusted repository: it fetches nothing, runs nothing that the repository's
configuration names, and is stopped after a time limit.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from opgen.diagnostics import InputError, shown

SECONDS = 60

# A hook or script sets these to point git at a repository; here the folder decides.
_LOCAL = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES"),
)
# A partial clone fetches missing objects, with programs from its configuration. GIT_NO_LAZY_FETCH forbids
# that since git 2.39.4 and 2.45. An empty list of protocols, which no configuration overrides, makes every
# git that supports partial clones fail before it starts anything.
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
# Other settings of a repository that name programs, or places that git reads without those protocols.
_SETTINGS = ("core.fsmonitor=", f"core.hooksPath={os.devnull}", "fetch.bundleURI=", "credential.helper=")


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: bytes
    error: bytes

    @property
    def said(self) -> str:
        """Git's error message on one line."""
        words = os.fsdecode(self.error).split()
        return clipped(" ".join(words).removeprefix("fatal: "), 400) or f"git ended with {self.code}"


def run(folder: Path, *words: str) -> Done:
    """Raises InputError where git is missing or exceeds the time limit."""
    with _started(folder, words, subprocess.DEVNULL, subprocess.PIPE) as process:
        try:
            out, error = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise _late(folder) from None
    return Done(process.returncode, out, error)


class Dialogue:
    """A git process that answers requests of one line each; used in a `with`."""

    def __init__(self, folder: Path, *words: str):
        self.folder, self.words, self.late = folder, words, False

    def __enter__(self) -> Dialogue:
        with contextlib.ExitStack() as stack:
            self._said = stack.enter_context(tempfile.TemporaryFile())
            started = _started(self.folder, self.words, subprocess.PIPE, self._said)
            self._process = stack.enter_context(started)
            assert self._process.stdin is not None and self._process.stdout is not None
            self._questions, self._answers = self._process.stdin, self._process.stdout
            timer = threading.Timer(SECONDS, self._give_up)
            timer.daemon = True
            timer.start()
            stack.callback(timer.cancel)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def ask(self, line: str) -> str:
        """Returns the answer, "" when git has ended. Raises InputError when it takes too long."""
        with contextlib.suppress(BrokenPipeError):
            self._questions.write(os.fsencode(f"{line}\n"))
            self._questions.flush()
        answer = os.fsdecode(self._answers.readline())
        self._require_in_time()
        return answer

    def read(self, size: int) -> bytes | None:
        """Returns the data after an answer and its line end; None when git has ended before."""
        data = self._answers.read(size + 1)
        self._require_in_time()
        return data[:size] if len(data) > size else None

    @property
    def said(self) -> str:
        """Returns git's own message about why it ended."""
        self._process.wait()
        self._said.seek(0)
        return Done(self._process.returncode, b"", self._said.read(4096)).said

    def _give_up(self) -> None:
        self.late = True
        _kill(self._process)

    def _require_in_time(self) -> None:
        if self.late:
            raise _late(self.folder)


@contextlib.contextmanager
def _started(
    folder: Path, words: Sequence[str], stdin: int, stderr: int | IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is killed, with all its children, when the `with` is left."""
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    try:
        process = subprocess.Popen(
            ["git", "--no-pager", "--literal-pathspecs", *settings, *words],
            cwd=folder,
            env=_environment(),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        if error.filename != "git":
            raise
        raise InputError("git is not installed here, so no commit can be read; name a file") from None
    try:
        yield process
    finally:
        if process.poll() is None:
            _kill(process)
            process.wait()
        for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _late(folder: Path) -> InputError:
    where = clipped(os.path.abspath(folder))
    return InputError(
        f"git took more than {SECONDS} seconds in the repository of {where}, and was ended;"
        " see whether `git log -1` works there, or name a file"
    )


def _environment() -> Mapping[str, str]:
    return {**{k: v for k, v in os.environ.items() if k not in _LOCAL}, **_ENVIRONMENT}


def clipped(text: str, length: int = 200) -> str:
    """Returns `text` escaped and shortened for a message."""
    return shown(text if len(text) <= length else f"{text[:length]}...")
