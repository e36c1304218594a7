"""Folders are small enough to see their contents at a glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from house import kept

MOST_FILES = 40
# Folder -> why it may hold more.
FULL = {
    "tests/golden/expected/include/golden/ATen/ops": "as generated: the headers of each operator, as in ATen",
}


def full_folders(names: Iterable[str]) -> list[str]:
    counted = Counter(name.rpartition("/")[0] for name in names)
    full = {folder for folder, count in counted.items() if count > MOST_FILES}
    found = [
        f"{folder or 'the root'} has {counted[folder]} files, expected at most {MOST_FILES}: divide it"
        for folder in full - FULL.keys()
    ]
    found += [f"{folder} has {counted[folder]} files: take it off FULL" for folder in FULL.keys() - full]
    return sorted(found)


def test_no_folder_is_full() -> None:
    names = kept()
    assert len(names) > 1000
    assert full_folders(names) == []


def test_a_full_folder_is_found() -> None:
    listed = [f"{folder}/{i}.h" for folder in FULL for i in range(MOST_FILES + 1)]
    fits = [f"core/ATen/{i}.h" for i in range(MOST_FILES)]
    assert full_folders([*listed, *fits, "core/ATen/core/one.h"]) == []
    (message,) = full_folders([*listed, *fits, "core/ATen/README.md"])
    assert message.startswith("core/ATen has 41 files")


def test_a_listed_folder_that_is_not_full_is_found() -> None:
    assert full_folders([]) == [f"{folder} has 0 files: take it off FULL" for folder in sorted(FULL)]
