"""The share of a commit, in clones that have its history and in those that don't."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from gate import history
from gate.repositories import repository

NOTHING = "no commit that is a day older than HEAD, so none counts as touched"


def clone(root: Path, depth: int) -> Path:
    target = root.with_name(f"depth {depth}")
    subprocess.run(["git", "clone", "-q", "--depth", str(depth), root.as_uri(), target], check=True)
    return target


def test_each_commit_has_the_next_turn(tmp_path):
    root = repository(tmp_path, range(1, 4))
    assert history.turn(root) == (3, "HEAD is commit 3, which chooses the share")
    assert history.turn(repository(root, range(4, 5)))[0] == 4


@pytest.mark.parametrize("depth", [1, 2])
def test_turns_of_shallow_clones_differ(tmp_path, depth):
    """These have as many commits each time."""
    root = repository(tmp_path / "whole", range(1, 4))
    turn, said = history.turn(clone(root, depth))
    assert "git fetch --unshallow" in said and "HEAD's hash chooses the share" in said
    repository(root, range(4, 5))
    root.with_name(f"depth {depth}").rename(tmp_path / "before")
    assert {turn, 1, 2, 3, 4}.isdisjoint({history.turn(clone(root, depth))[0]})


def test_a_day_begins_before_the_shallow_clone(tmp_path):
    root = repository(tmp_path / "whole", range(1, 4))
    base, said = history.day_before(root)
    assert base and said == f"since {base[:9]}"
    assert history.day_before(clone(root, 2)) == (base, said)
    base, said = history.day_before(clone(root, 1))
    assert base is None and "git fetch --unshallow" in said and said.endswith(NOTHING)


@pytest.mark.parametrize("days", [range(0), range(1, 2)])
def test_where_no_commit_is_older(tmp_path, days):
    assert history.day_before(repository(tmp_path, days)) == (None, f"here is {NOTHING}")


def test_without_a_repository(tmp_path):
    assert history.day_before(tmp_path) == (None, f"here is {NOTHING}")
    turn, said = history.turn(tmp_path)
    assert turn == 1 and "git knows no commits here" in said
