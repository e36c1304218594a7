"""What the tests of `opgen breaking` begin with: two files, or a checkout."""

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with the old.yaml and new.yaml of breaking_pair.py."""
    import breaking_pair

    monkeypatch.chdir(tmp_path)
    breaking_pair.write(tmp_path)
    return tmp_path


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """`schemas` with OLD of breaking_versions.py in the only commit of main, NEW in the work tree; it is the
    current folder.
    """
    from breaking_versions import NEW, OLD
    from git_checkout import Checkout, needs_git

    needs_git()
    monkeypatch.delenv("GIT_DIR", raising=False)
    made = Checkout(tmp_path / "a checkout")
    made.commit(schemas__native_functions=OLD)
    made.write(schemas__native_functions=NEW)
    monkeypatch.chdir(made.folder)
    return made
