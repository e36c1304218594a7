"""The sources of the versions that `opgen breaking` compares: files, folders, commits."""

import os
from pathlib import Path

import pytest
from breaking_versions import NEW, OLD, is_old, schemas
from git_checkout import Checkout
from opgen import baseline
from opgen.baseline.place import InCommit, OnDisk
from opgen.diagnostics import InputError

TAGS = "- tag: ours\n  desc: of ours\n"


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
    at = baseline.locate("HEAD:schemas", {})
    assert at.path == baseline.locate("HEAD", {}).path == "schemas"
    before = baseline.locate("HEAD~1", {}, at)
    assert isinstance(before, InCommit) and before.path == "schemas"
    assert [f.name.name.base for f in baseline.read(before).program.functions] == ["f", "g"]


def test_files_beside_come_from_the_same_commit(checkout):
    checkout.commit(
        schemas__native_functions=NEW.replace("\n", "\n  tags: ours\n", 1),
        schemas__tags=TAGS,
        schemas__derivatives="- name: g(Tensor self) -> Tensor\n  self: grad\n",
        schemas__checks="- ops: [f]\n  checks:\n  - dim(self) >= 1\n",
        schemas__deprecated="- name: old(Tensor self)\n  aten: f(self)\n",
    )
    # The work tree has other files.
    checkout.write(schemas__tags="- tag: other\n  desc: x\n", schemas__derivatives="[", schemas__checks="[")
    version = baseline.read(baseline.locate("HEAD", {}, OnDisk(Path("schemas"))))
    assert set(version.program.tags) == {"ours"}
    assert not version.report.diagnostics
    program = version.program
    read = program.derivatives.entries, program.checks.entries, version.deprecated
    assert [len(entries) for entries in read] == [1, 1, 1]
    before = baseline.read(baseline.locate("HEAD~1", {}, OnDisk(Path("schemas"))))
    assert "core" in before.program.tags
    assert before.program.derivatives is None and before.program.checks is None


def test_named_files_have_their_twins_in_the_commit(checkout):
    checkout.commit(elsewhere__our_tags=TAGS)
    checkout.write(elsewhere__our_tags="- tag: later\n  desc: x\n")
    named = {"tags": Path("elsewhere/our_tags.yaml")}
    version = baseline.read(baseline.locate("HEAD", named, OnDisk(Path("schemas"))))
    assert set(version.program.tags) == {"ours"}


def test_named_files_are_those_of_the_new_version(tmp_path):
    """An older version has its own files, and uses the named ones only if it has none."""
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "native_functions.yaml").write_text(NEW)
        (tmp_path / name / "tags.yaml").write_text(TAGS.replace("ours", name))
    (tmp_path / "named.yaml").write_text(TAGS.replace("ours", "named"))
    (tmp_path / "bare.yaml").write_text(NEW)

    def tags(name: str, new: OnDisk | None = None) -> set[str]:
        at = baseline.locate(str(tmp_path / name), {"tags": tmp_path / "named.yaml"}, new)
        return set(baseline.read(at).program.tags)

    assert tags("new") == {"named"}
    assert tags("old", OnDisk(tmp_path / "new")) == {"old"}
    (tmp_path / "old" / "tags.yaml").unlink()
    assert tags("old", OnDisk(tmp_path / "new")) == {"named"}
    with pytest.raises(InputError, match="none"):
        baseline.read(baseline.locate(str(tmp_path / "new"), {"tags": tmp_path / "none.yaml"}))


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
