"""Partial clones with hostile configurations: nothing is fetched, no program that they name runs, and what is
missing is reported.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from breaking_versions import NEW, OLD, is_old, schemas
from git_checkout import Checkout, needs_git
from opgen.baseline import git_process
from opgen.commands import run
from opgen.diagnostics import InputError
from scripts import executable

FILTERS = ("blob:none", "tree:0")
# Programs that a lazy fetch starts: CANARY is the one that leaves a trace, PORT a server's port.
FETCHING = {
    "uploadpack": {"remote.origin.uploadpack": "CANARY"},
    "a remote of its own": {
        "remote.origin.url": "/nowhere",
        "remote.evil.url": "SOURCE",
        "remote.evil.promisor": "true",
        "remote.evil.uploadpack": "CANARY",
    },
    "file protocol allowed": {"remote.origin.uploadpack": "CANARY", "protocol.file.allow": "always"},
    "ssh": {"remote.origin.url": "ssh://nowhere.invalid/x", "core.sshCommand": "CANARY"},
    "scp": {"remote.origin.url": "nowhere.invalid:x", "core.sshCommand": "CANARY"},
    "proxy": {"remote.origin.url": "git://nowhere.invalid/x", "core.gitProxy": "CANARY"},
    "ext": {"remote.origin.url": "ext::CANARY", "protocol.ext.allow": "always"},
    "rewritten": {"url.ext::CANARY .insteadOf": "file:", "protocol.ext.allow": "always"},
    "a helper": {"remote.origin.vcs": "evil", "protocol.evil.allow": "always"},
    "credentials": {"remote.origin.url": "http://127.0.0.1:PORT/x", "credential.helper": "!CANARY"},
    "password": {"remote.origin.url": "http://127.0.0.1:PORT/x", "core.askPass": "CANARY"},
}
# Programs that other commands of git run.
OTHERS = {
    "fsmonitor": {"core.fsmonitor": "CANARY"},
    "hooks": {"core.hooksPath": "HOOKS"},
    "pager": {"core.pager": "CANARY", "pager.cat-file": "CANARY", "pager.rev-parse": "CANARY"},
    "textconv": {"diff.x.textconv": "CANARY", "diff.external": "CANARY", "diff.x.command": "CANARY"},
    "filter": {"filter.x.smudge": "CANARY", "filter.x.process": "CANARY", "filter.x.required": "true"},
    "aliases": {f"alias.{name}": "!CANARY" for name in ("rev-parse", "cat-file", "ls-tree", "config")},
    "signatures": {"gpg.program": "CANARY", "log.showSignature": "true"},
    "bundles": {"fetch.bundleURI": "http://127.0.0.1:PORT/x", "credential.helper": "!CANARY"},
    "maintenance": {"gc.auto": "1", "maintenance.auto": "true", "core.alternateRefsCommand": "CANARY"},
    "editor": {"core.editor": "CANARY", "sequence.editor": "CANARY", "core.askPass": "CANARY"},
}
# A git without GIT_NO_LAZY_FETCH, which reports objects that can't be fetched as "missing", like those that
# don't exist.
BEFORE_2_39 = """
import os, subprocess, sys
arguments, real = sys.argv[1:], {git!r}
os.environ.pop("GIT_NO_LAZY_FETCH", None)
if "cat-file" not in arguments:
    os.execv(real, [real, *arguments])
for line in sys.stdin.buffer:
    done = subprocess.run([real, *arguments], input=line, stdout=subprocess.PIPE)
    sys.stdout.buffer.write(done.stdout or line.rstrip(b"\\n") + b" missing\\n")
    sys.stdout.buffer.flush()
"""


class Trap:
    """A copy of a partial clone in `folder`, its configuration, and the traces it left."""

    def __init__(self, folder: Path, partial: Path, port: int):
        self.folder, self.port, self.clone = folder, port, folder / "clone"
        self.source = partial.parent / "source"
        shutil.copytree(partial, self.clone)
        (folder / "traces").mkdir()
        (folder / "hooks").mkdir()
        self.canary = self.program("canary", f"#!/bin/sh\n: > {folder}/traces/$$\nexit 1\n")
        for name in ("git-remote-evil", "hooks/post-index-change", "hooks/reference-transaction"):
            shutil.copy(self.canary, folder / name)

    def program(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def older_git(self) -> None:
        executable(self.folder / "git", BEFORE_2_39.format(git=shutil.which("git")))

    def configure(self, settings: dict[str, str]) -> None:
        places = {"CANARY": self.canary, "HOOKS": self.folder / "hooks", "PORT": self.port}
        places["SOURCE"] = self.source
        for key, value in settings.items():
            for word, place in places.items():
                key, value = key.replace(word, str(place)), value.replace(word, str(place))
            subprocess.run(["git", "config", key, value], cwd=self.clone, check=True)
        (self.clone / ".gitattributes").write_text("*.yaml diff=x filter=x\n")

    @property
    def traces(self) -> list[str]:
        return os.listdir(self.folder / "traces")


@pytest.fixture(scope="module")
def partial(tmp_path_factory):
    """Returns partial clones of a repository with OLD in its commit, by their filter."""
    needs_git()
    folder = tmp_path_factory.mktemp("partial")
    source = Checkout(folder / "source")
    source.commit(schemas__native_functions=OLD, schemas__tags="- tag: core\n  desc: x\n")
    source.git("config", "uploadpack.allowFilter", "true")
    source.git("config", "uploadpack.allowAnySHA1InWant", "true")
    clones = {filter: folder / filter.replace(":", "-") for filter in FILTERS}
    for filter, clone in clones.items():
        url = f"file:{'//'}{source.folder}"
        source.git("clone", "--quiet", "--no-checkout", f"--filter={filter}", url, str(clone))
    return clones


@pytest.fixture
def asked():
    """Yields the port of a server that requires a password, and its list of requests."""

    class Server(BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.end_headers()

        def log_message(self, *_words):
            pass

    paths: list[str] = []
    server = HTTPServer(("127.0.0.1", 0), Server)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server.server_port, paths
    server.shutdown()


@pytest.fixture
def trap(tmp_path, monkeypatch, partial, asked):
    """Returns a function that makes a Trap with the given settings and changes to its clone."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GIT_TERMINAL_PROMPT", "1")
    (tmp_path / "new.yaml").write_text(NEW)

    def make(settings: dict[str, str], filter: str = "blob:none", older: bool = False) -> Trap:
        made = Trap(tmp_path, partial[filter], asked[0])
        made.configure(settings)
        if older:
            made.older_git()
        monkeypatch.chdir(made.clone)
        return made

    return make


@pytest.mark.parametrize("name", FETCHING)
def test_a_lazy_fetch_would_run_them(trap, asked, name):
    """Without our settings the programs do run; otherwise the next test could not fail."""
    made = trap(FETCHING[name])
    shown = ["git", "cat-file", "-p", "HEAD:schemas/native_functions.yaml"]
    subprocess.run(shown, capture_output=True, stdin=subprocess.DEVNULL)
    assert made.traces


@pytest.mark.parametrize("older", [False, True], ids=["this git", "an older git"])
@pytest.mark.parametrize(
    ("name", "filter"),
    [*((name, filter) for name in FETCHING for filter in FILTERS), *((name, FILTERS[0]) for name in OTHERS)],
)
def test_nothing_is_run(trap, asked, capsys, name, filter, older):
    made = trap({**FETCHING, **OTHERS}[name], filter, older)
    for base in ("HEAD:schemas", "HEAD:schemas/none.yaml"):
        assert run(["breaking", "../new.yaml", "--against", base]) == 2
    assert made.traces == [] and asked[1] == []
    shown = capsys.readouterr()
    assert shown.out == "" and "internal error" not in shown.err


@pytest.mark.parametrize("older", [False, True], ids=["this git", "an older git"])
@pytest.mark.parametrize("filter", FILTERS)
def test_it_says_what_is_missing_and_what_brings_it(trap, filter, older, monkeypatch):
    made = trap({}, filter, older)
    (made.clone / "below").mkdir()
    monkeypatch.chdir(made.clone / "below")
    with pytest.raises(InputError) as raised:
        schemas("HEAD:schemas")
    said = str(raised.value)
    assert re.search(
        r"partial clone has not fetched schemas\S* of commit [0-9a-f]{12}, and opgen fetches n", said
    )
    brings = re.search(r"`(git .*?)` brings it", said)[1]
    assert shlex.split(brings)[-1] == "schemas", "the folder, and not the whole commit"
    subprocess.run(shlex.split(brings), check=True, capture_output=True)
    assert is_old(schemas("HEAD:schemas"))


@pytest.mark.parametrize("older", [False, True], ids=["this git", "an older git"])
def test_a_file_beside_that_was_not_fetched_is_not_taken_for_none(trap, older):
    made = trap({}, "blob:none", older)
    for path in ("schemas/native_functions.yaml", "schemas/derivatives.yaml"):
        subprocess.run(["git", "show", f"HEAD:{path}"], cwd=made.clone, capture_output=True)
    with pytest.raises(InputError, match=r"has not fetched schemas/tags\.yaml of"):
        schemas("HEAD:schemas")


def test_a_lost_object_of_a_whole_clone(checkout):
    """A fetch would not bring the object, so the message mentions none."""
    blob = Path(
        ".git/objects",
        *re.fullmatch("(..)(.*)", checkout.git("rev-parse", "HEAD:schemas/native_functions.yaml")).groups(),
    )
    blob.unlink()
    with pytest.raises(InputError, match=r"git cannot read schemas/native_functions.yaml.*`git fsck`"):
        schemas("main:schemas")


HANGING = {
    "a configuration without end": "mkfifo clone/pipe; git -C clone config include.path ../pipe",
    "a list of objects without end": "rm -rf clone/.git/packed-refs; mkfifo clone/.git/packed-refs",
    "objects elsewhere without end": "mkfifo clone/.git/objects/info/alternates",
}


@pytest.mark.parametrize("name", HANGING)
def test_git_is_ended_when_it_does_not_end(trap, monkeypatch, name):
    made = trap({})
    subprocess.run(HANGING[name], shell=True, cwd=made.folder, check=True)
    monkeypatch.setattr(git_process, "SECONDS", 0.3)
    begun = time.monotonic()
    with pytest.raises(InputError, match=r"git took more than 0\.3 seconds in the repository of .*clone"):
        schemas("HEAD:schemas")
    assert time.monotonic() - begun < 50


STUCK = """#!/bin/sh
case "$*" in
  *cat-file*) sleep 60 & echo $! > {folder}/pid; sleep 60;;
  *) exec {git} "$@";;
esac
"""


def test_the_dialogue_is_ended_with_what_it_started(trap, monkeypatch):
    made = trap({})
    made.program("git", STUCK.format(folder=made.folder, git=shutil.which("git")))
    monkeypatch.setattr(git_process, "SECONDS", 2)
    begun = time.monotonic()
    with pytest.raises(InputError, match="git took more than 2 seconds"):
        schemas("HEAD:schemas")
    assert time.monotonic() - begun < 50
    child = Path("/proc", (made.folder / "pid").read_text().strip(), "stat")
    while time.monotonic() - begun < 50 and _runs(child):
        time.sleep(0.05)
    assert not _runs(child)


def _runs(stat: Path) -> bool:
    try:
        return ") Z " not in stat.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
