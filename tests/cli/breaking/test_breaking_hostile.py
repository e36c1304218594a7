"""Versions that can't be compared: an error message says what to do, and the exit code is 2."""

import subprocess
import time

import pytest
from breaking_versions import NEW, OLD, is_old, schemas
from git_checkout import Checkout, needs_git
from opgen import baseline
from opgen.commands import run
from opgen.diagnostics import InputError

HOSTILE = [
    *("", ":", "--help", "-x", "--upload-pack=touch y", "; rm -rf .", "$(touch y)", "`touch y`", "| touch y"),
    *("..:schemas", "main..HEAD", "^main", "main^{tree}", "HEAD^{/x", "nope", "a\nb", "a\0b", "\x1b[31m"),
    *("main:../x", "main:/etc/passwd", "main:a\nb", "main:nope.yaml", "main:schemas/native_functions.yaml/x"),
    *("--help:schemas", ":schemas", "x" * 5000, f"main:{'x' * 5000}", "\udcff", "main:\udcff", "*", "main:*"),
]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_what_is_no_version(checkout, text, capfd):
    with pytest.raises(InputError) as raised:
        schemas(text)
    assert not (checkout.folder / "y").exists()
    assert all(c.isprintable() for c in str(raised.value)) and len(str(raised.value)) < 1500
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("text", ["--help", "; touch y", "nope", "main:nope.yaml", ":schemas", "x" * 5000])
def test_the_command_ends_with_two(checkout, text, capsys):
    for arguments in (
        ["schemas", "--against", text],
        ["--against", "main", "--", text],
        ["schemas", "--against", "main", "--since", text],
    ):
        assert run(["breaking", *arguments]) == 2
        shown = capsys.readouterr()
        assert shown.out == "" and "Traceback" not in shown.err and "internal error" not in shown.err
    assert not (checkout.folder / "y").exists()


def test_it_says_what_was_meant(checkout, tmp_path):
    checkout.commit(ops__native_functions=OLD)
    checkout.git("update-ref", "refs/remotes/origin/dev", "HEAD")
    for text, said in {
        "mian": "did you mean 'main'?",
        "dev": "did you mean 'origin/dev'?",
        "main:operators": "mean main:ops/native_functions.yaml or main:schemas/native_functions.yaml?",
        "main:operators.yaml": "mean main:ops/native_functions.yaml or main:schemas/native_functions.yaml?",
        "main:opz/native_functions.yaml": "did you mean main:ops/native_functions.yaml or ",
        "unheard-of": "git fetch",
    }.items():
        with pytest.raises(InputError) as raised:
            schemas(text)
        assert said in str(raised.value)


def test_a_folder_that_was_moved_is_suggested_at_its_old_path(checkout, capsys):
    checkout.git("mv", "schemas", "declared")
    assert run(["breaking", "declared", "--against", "main"]) == 2
    assert "there is no declared in main; did you mean main:schemas/" in capsys.readouterr().err


def test_no_repository(tmp_path, monkeypatch):
    needs_git()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "native_functions.yaml").write_text(OLD)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"there is no file 'main', and .* in no git repository"):
        schemas("main", "native_functions.yaml")


def test_no_git(checkout, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(InputError, match="git is not installed here"):
        schemas("main")
    assert not is_old(schemas("schemas"))


def test_a_repository_without_commits_and_one_without_the_path(tmp_path, monkeypatch):
    needs_git()
    empty = Checkout(tmp_path / "empty")
    empty.write(schemas__native_functions=NEW)
    monkeypatch.chdir(empty.folder)
    with pytest.raises(InputError, match="there is no commit 'main'"):
        schemas("main")
    empty.git("commit", "--quiet", "--allow-empty", "--message=x")
    with pytest.raises(InputError, match="there is no schemas in main"):
        schemas("main")


def test_a_shallow_clone_says_how_to_deepen_it(checkout, tmp_path, monkeypatch):
    checkout.commit()
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=1", f"file:{'//'}{checkout.folder}", str(tmp_path / "shallow")],
        check=True,
        capture_output=True,
    )
    monkeypatch.chdir(tmp_path / "shallow")
    assert schemas("HEAD")
    for text in ("HEAD~1", "v1.0:schemas"):
        with pytest.raises(InputError, match=r"git fetch --unshallow.*fetch-depth: 0.*GIT_DEPTH: 0"):
            schemas(text)


def test_large_files(checkout, tmp_path):
    huge = "#" * (9 << 20)
    checkout.commit(schemas__native_functions=huge)
    (tmp_path / "huge.yaml").write_text(huge)
    for text in ("HEAD", str(tmp_path / "huge.yaml"), "/dev/zero"):
        with pytest.raises((InputError, baseline.Unreadable)):
            schemas(text)


def test_folders_that_hold_none(tmp_path):
    for text in (str(tmp_path), str(tmp_path / "x"), "/dev/null/x"):
        with pytest.raises(InputError):
            schemas(text)


BROKEN = [
    "- func: 'f(\n",
    "func: f(Tensor self) -> Tensor\n",
    "- func: *x\n",
    "\x00",
]


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize("side", ["old", "new"])
def test_what_is_no_yaml_cannot_be_compared(tmp_path, text, side, capsys):
    for name in ("old", "new"):
        (tmp_path / f"{name}.yaml").write_text(text if name == side else OLD)
    assert run(["breaking", str(tmp_path / "new.yaml"), "--against", str(tmp_path / "old.yaml")]) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and f"{side}.yaml:1:" in shown.err and "cannot be compared" in shown.err


@pytest.mark.parametrize("name", ["tags", "derivatives", "deprecated"])
def test_files_beside_that_are_no_yaml(tmp_path, name):
    (tmp_path / "native_functions.yaml").write_text(OLD)
    (tmp_path / f"{name}.yaml").write_text("- tag: 'x\n")
    with pytest.raises(baseline.Unreadable):
        schemas(str(tmp_path))


def test_an_entry_of_the_new_file_that_cannot_be_read(tmp_path, capsys):
    """It counts neither as a removal nor as a comparison without findings."""
    unread = "- func: h(Tensr self) -> Tensor\n  variants: function\n"
    (tmp_path / "old.yaml").write_text(OLD)
    (tmp_path / "new.yaml").write_text(f"# a comment\n{OLD}{unread}")
    files = [str(tmp_path / "new.yaml"), "--against", str(tmp_path / "old.yaml")]
    assert run(["breaking", *files, "--format", "concise"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert "new.yaml:4:11: error: " in line and "[OPB002 entry-unparseable]" in line
    # An entry that is the same in both versions is not reported.
    (tmp_path / "old.yaml").write_text(f"{OLD}\n{unread}")
    assert run(["breaking", *files]) == 0


def test_a_file_of_which_nothing_can_be_read(tmp_path):
    (tmp_path / "x.yaml").write_text("- op: add.out\n  kernels:\n  - kernel_name: k\n")
    with pytest.raises(baseline.Unreadable) as raised:
        schemas(str(tmp_path / "x.yaml"))
    assert "--aten" in str(raised.value.report.diagnostics[0].help)


def many(line: str, number: int = 1000) -> str:
    return "".join(f"- func: {line.replace('#', str(i))}\n" for i in range(number))


ARGUMENTS = [f"int a{i}=0" for i in range(2000)]
LARGE = {
    "renamed operators": (many("f#(Tensor self) -> Tensor"), many("g#(Tensor self) -> Tensor")),
    "renamed overloads": (many("f.a#(Tensor self) -> Tensor"), many("f.b#(Tensor self) -> Tensor")),
    "added overloads": (
        many("f.a#(Tensor self) -> Tensor"),
        many("f.a#(Tensor self) -> Tensor") + many("f.b#(Tensor self, int k=0) -> Tensor"),
    ),
    "one entry again and again": (many("f(int k) -> int"), many("f(int n) -> int")),
    "reordered arguments": tuple(
        f"- func: f({', '.join(several)}) -> Tensor\n" for several in (ARGUMENTS, ARGUMENTS[::-1])
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_time_grows_with_the_size_alone(tmp_path, name):
    for side, text in zip(("old", "new"), LARGE[name], strict=True):
        (tmp_path / f"{side}.yaml").write_text(text)
    files = [str(tmp_path / "new.yaml"), "--against", str(tmp_path / "old.yaml")]
    begun = time.process_time()
    assert run(["breaking", *files, "--format", "concise", "-o", "/dev/null"]) in (0, 1)
    assert time.process_time() - begun < 8
