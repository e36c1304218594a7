"""Where the versions that `opgen breaking` compares come from: files, folders, dumps, commits."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from git_checkout import Checkout, needs_git
from opgen import baseline
from opgen.baseline.place import InCommit, OnDisk
from opgen.commands import run
from opgen.diagnostics import InputError

OLD = "- func: f(Tensor self, int k) -> Tensor\n- func: g(Tensor self) -> Tensor\n"
NEW = "- func: f(Tensor self) -> Tensor\n- func: g(Tensor self) -> Tensor\n"
TAGS = "- tag: ours\n  desc: of ours\n"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """`schemas` with OLD in the only commit of main, NEW in the work tree; it is the current folder."""
    needs_git()
    monkeypatch.delenv("GIT_DIR", raising=False)
    made = Checkout(tmp_path / "a checkout")
    made.commit(schemas__native_functions=OLD)
    made.write(schemas__native_functions=NEW)
    monkeypatch.chdir(made.folder)
    return made


def schemas(text: str, new: str = "schemas") -> list[str]:
    """Those of the version that `text` means beside the path `new`."""
    version = baseline.read(baseline.locate(text, {}, OnDisk(Path(new))))
    return [str(f.schema) for f in version.program.functions if not f.is_generated]


def is_old(found: list[str]) -> bool:
    return [f"- func: {schema}" for schema in found] == OLD.splitlines()


# -- what there is -------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *(
            "main",
            "HEAD",
            "HEAD~0",
            "@",
            "refs/heads/main",
            "main:schemas",
            "main:./schemas",
            "main:schemas/",
        ),
        *("HEAD:schemas/native_functions.yaml", "HEAD:./schemas/../schemas/native_functions.yaml"),
    ],
)
@pytest.mark.parametrize("new", ["schemas", "schemas/native_functions.yaml"])
def test_commits(checkout, text, new):
    assert is_old(schemas(text, new))
    assert not is_old(schemas(new))


def test_commits_by_id_tag_and_branch(checkout):
    commit = checkout.git("rev-parse", "HEAD")
    checkout.git("tag", "v1.0")
    checkout.git("tag", "--annotate", "--message=x", "v1.1")
    checkout.git("branch", "feature/a")
    for text in (commit, commit[:8], "v1.0", "v1.1", "feature/a", "feature/a:schemas"):
        assert is_old(schemas(text))


def test_from_a_folder_below(checkout, monkeypatch):
    (checkout.folder / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(checkout.folder / "deep" / "er")
    assert is_old(schemas("main", "../../schemas"))
    assert is_old(schemas("main:schemas", "nowhere"))
    assert is_old(schemas("main:../../schemas", "nowhere"))
    monkeypatch.chdir(checkout.folder / "schemas")
    for new in (".", "native_functions.yaml", "../schemas"):
        assert is_old(schemas("main", new))


def test_from_outside(checkout, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert is_old(schemas("main", "a checkout/schemas"))
    assert is_old(schemas("main:schemas", "a checkout/schemas"))


def test_a_worktree_and_a_bare_repository(checkout, monkeypatch, tmp_path):
    checkout.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"))
    monkeypatch.chdir(tmp_path / "tree")
    assert is_old(schemas("main"))
    checkout.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    monkeypatch.chdir(tmp_path / "bare.git")
    assert is_old(schemas("main:schemas", "nowhere"))


def test_both_in_commits(checkout, capsys):
    checkout.commit()
    at = baseline.locate("HEAD:schemas", {}, OnDisk(Path("schemas")))
    before = baseline.locate("HEAD~1", {}, at)
    assert isinstance(before, InCommit) and before.path == "schemas"
    assert [f.name.name.base for f in baseline.read(before).program.functions] == ["f", "g"]


def test_files_beside_come_from_the_same_commit(checkout):
    checkout.commit(
        schemas__native_functions=NEW.replace("\n", "\n  tags: ours\n", 1),
        schemas__tags=TAGS,
        schemas__derivatives="- name: g(Tensor self) -> Tensor\n  self: grad\n",
        schemas__deprecated="- name: old(Tensor self)\n  aten: f(self)\n",
    )
    # Others lie in the work tree.
    checkout.write(schemas__tags="- tag: other\n  desc: x\n", schemas__derivatives="[")
    version = baseline.read(baseline.locate("HEAD", {}, OnDisk(Path("schemas"))))
    assert set(version.program.tags) == {"ours"}
    assert not version.report.diagnostics
    assert [len(entries) for entries in (version.program.derivatives.entries, version.deprecated)] == [1, 1]
    before = baseline.read(baseline.locate("HEAD~1", {}, OnDisk(Path("schemas"))))
    assert "core" in before.program.tags and before.program.derivatives is None


def test_named_files_have_their_twins_in_the_commit(checkout):
    checkout.commit(elsewhere__our_tags=TAGS)
    checkout.write(elsewhere__our_tags="- tag: later\n  desc: x\n")
    named = {"tags": Path("elsewhere/our_tags.yaml")}
    version = baseline.read(baseline.locate("HEAD", named, OnDisk(Path("schemas"))))
    assert set(version.program.tags) == {"ours"}


def test_a_path_that_there_is_comes_before_a_ref(checkout):
    checkout.git("branch", "schemas")
    assert not is_old(schemas("schemas"))
    assert is_old(schemas("heads/schemas"))


def test_links_are_followed_inside_the_commit_only(checkout, tmp_path):
    (tmp_path / "outside.yaml").write_text(NEW)
    (checkout.folder / "link.yaml").symlink_to("schemas/native_functions.yaml")
    (checkout.folder / "folder").symlink_to("schemas")
    (checkout.folder / "out.yaml").symlink_to(tmp_path / "outside.yaml")
    (checkout.folder / "loop.yaml").symlink_to("loop.yaml")
    checkout.write(schemas__native_functions=OLD)
    checkout.commit()
    checkout.write(schemas__native_functions=NEW)
    for text in ("HEAD:link.yaml", "HEAD:folder", "HEAD:folder/native_functions.yaml"):
        assert is_old(schemas(text))
    assert is_old(schemas("HEAD", "link.yaml"))
    for text in ("HEAD:out.yaml", "HEAD:loop.yaml"):
        with pytest.raises(InputError, match=r"there is no \w+\.yaml in HEAD"):
            schemas(text)


def test_names_with_spaces_and_letters(checkout):
    checkout.write(**{"a b__ü & 'x' $(touch y)__native_functions": OLD})
    checkout.commit()
    assert is_old(schemas("HEAD:a b/ü & 'x' $(touch y)"))
    assert is_old(schemas("HEAD", "a b/ü & 'x' $(touch y)/native_functions.yaml"))
    assert not (checkout.folder / "y").exists()


def test_variables_of_a_hook_do_not_lead_astray(checkout, monkeypatch, tmp_path):
    other = Checkout(tmp_path / "other")
    other.commit(schemas__native_functions=NEW)
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert is_old(schemas("main"))


def test_a_pipe_and_an_empty_file(tmp_path):
    (tmp_path / "empty.yaml").write_text("")
    assert schemas(str(tmp_path / "empty.yaml")) == []
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as file:
        file.write(OLD.encode())
    assert is_old(schemas(f"/dev/fd/{reader}"))
    os.close(reader)


# -- dumps -----------------------------------------------------------------------

WHOLE = """\
- func: f(Tensor self, *, Scalar alpha=1) -> Tensor
  variants: function, method
  structured_delegate: f.out
  tags: [core, pointwise]
- func: f.out(Tensor self, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  device_check: NoCheck
  dispatch:
    CPU, CUDA: f_out
- func: g(Tensor(a) self, int[2] size=[]) -> (Tensor values, Tensor(a))
  dispatch: {}
  python_module: nn
  device_guard: False
  manual_cpp_binding: True
- func: h(Tensor self, int k=1) -> Tensor
  cpp_no_default_args: ['k']
  dispatch:
    CompositeExplicitAutograd: h
  autogen: h.out
- func: ours::f.n(Tensor self) -> Tensor
  manual_kernel_registration: True
"""


def test_a_dump_is_what_was_dumped(tmp_path, capsys):
    """Dumped again it is the same text; so the reader loses nothing that a dump says."""
    (tmp_path / "native_functions.yaml").write_text(WHOLE)
    assert run(["dump", str(tmp_path), "-o", str(tmp_path / "dump.json")]) == 0
    version = baseline.read(OnDisk(tmp_path / "dump.json"))
    from opgen.api import dump

    again = json.loads(dump.text(version.program))
    before = json.loads((tmp_path / "dump.json").read_text())
    assert {len(again)} == {len(before)} == {len(version.program.functions)}
    for record, expected in zip(again, before, strict=True):
        assert {**record, "line": 0} == {**expected, "line": 0}
    assert [f.qualified_name for f in version.program.functions][-2:] == ["ours::f.n", "h.out"]
    function = version.program.function("g")
    line = (tmp_path / "dump.json").read_text().splitlines()[function.span.line - 1]
    assert line[function.span.column - 1 : function.span.end_column - 1] == str(function.schema)


def test_a_dump_compared_with_its_file_has_no_difference(tmp_path, capsys):
    (tmp_path / "native_functions.yaml").write_text(WHOLE)
    assert run(["dump", str(tmp_path), "-o", str(tmp_path / "dump.json")]) == 0
    file, dumped = (baseline.read(OnDisk(tmp_path / name)) for name in ("", "dump.json"))
    assert not baseline.findings(file, dumped) and not baseline.findings(dumped, file)


def test_a_dump_that_was_laid_out_anew(tmp_path):
    (tmp_path / "native_functions.yaml").write_text(WHOLE)
    assert run(["dump", str(tmp_path), "-o", str(tmp_path / "dump.json")]) == 0
    records = json.loads((tmp_path / "dump.json").read_text())
    (tmp_path / "pretty").write_text(json.dumps(records, indent=4))
    assert schemas(str(tmp_path / "pretty")) == schemas(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this is no dump"),
        ("{}", "this is no dump"),
        ("[", "its end is missing"),
        ('[{"schema": "f() -> ()"}', "its end is missing"),
        ('[{"schema": "f() -> ()",}]', ":1:"),
        ('[\n{"schema": 1}]', ":2: this is no dump"),
        ("[1]", ":1: this is no dump"),
        ('[{"schema": "f() -> ()", "dispatch": {"Nope": "f"}}]', "'Nope'"),
        ('[{"schema": "f() -> ()", "variants": 3}]', "this is no dump"),
        ('[{"schema": "f() -> ()", "autogen": [3]}]', "this is no dump"),
        ('[{"schema": "f() -> ()", "dispatch": [1]}]', "this is no dump"),
        ("[" * 100_000, "this is no dump"),
        ('[{"schema": "f() -> ()", "x": "\ud800"}]', "this is no dump"),
    ],
)
def test_what_is_no_dump(tmp_path, text, said):
    (tmp_path / "x.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match=r"x\.json") as raised:
        schemas(str(tmp_path / "x.json"))
    assert said in str(raised.value)


def test_schemas_of_a_dump_that_are_none(tmp_path):
    (tmp_path / "x.json").write_text('[{"schema": "f(Tensr self) -> ()"}, {"schema": "g() -> ()"}]')
    version = baseline.read(OnDisk(tmp_path / "x.json"))
    assert [entry.name for entry in version.unread] == ["f"]
    assert [str(f.name) for f in version.program.functions] == ["g"]


# -- what there is not -------------------------------------------------------------

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
        "main:operators": "name another with REF:PATH",
        "main:opz/native_functions.yaml": "did you mean main:ops/native_functions.yaml?",
        "unheard-of": "git fetch",
    }.items():
        with pytest.raises(InputError) as raised:
            schemas(text)
        assert said in str(raised.value)


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


# -- what cannot be read -----------------------------------------------------------

BROKEN = [
    "- func: 'f(\n",
    "func: f(Tensor self) -> Tensor\n",
    "- func: &x f(Tensor self) -> Tensor\n",
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
    """It is no removal, and no clean comparison either."""
    unread = "- func: h(Tensr self) -> Tensor\n  variants: function\n"
    (tmp_path / "old.yaml").write_text(OLD)
    (tmp_path / "new.yaml").write_text(f"# a comment\n{OLD}{unread}")
    files = [str(tmp_path / "new.yaml"), "--against", str(tmp_path / "old.yaml")]
    assert run(["breaking", *files, "--format", "concise"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert "new.yaml:4:11: error: " in line and "[OPB002 entry-unparseable]" in line
    # An entry that stands there as it stood before is none of this change's.
    (tmp_path / "old.yaml").write_text(f"{OLD}\n{unread}")
    assert run(["breaking", *files]) == 0


def test_a_file_of_which_nothing_can_be_read(tmp_path):
    (tmp_path / "x.yaml").write_text("- op: add.out\n  kernels:\n  - kernel_name: k\n")
    with pytest.raises(baseline.Unreadable) as raised:
        schemas(str(tmp_path / "x.yaml"))
    assert "--aten" in str(raised.value.report.diagnostics[0].help)
