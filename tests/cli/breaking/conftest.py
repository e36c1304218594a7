"""Fixtures for the tests of `opgen breaking`: two files, or a checkout."""

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Changes to a folder with the old.yaml and new.yaml of breaking_pair.py."""
    import breaking_pair

    monkeypatch.chdir(tmp_path)
    breaking_pair.write(tmp_path)
    return tmp_path


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """Changes to a checkout with OLD of breaking_versions.py in main's only commit, NEW in the work tree."""
    from breaking_versions import NEW, OLD
    from git_checkout import Checkout, needs_git

    needs_git()
    monkeypatch.delenv("GIT_DIR", raising=False)
    made = Checkout(tmp_path / "a checkout")
    made.commit(schemas__native_functions=OLD)
    made.write(schemas__native_functions=NEW)
    monkeypatch.chdir(made.folder)
    return made
