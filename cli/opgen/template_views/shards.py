"""Assigns operators to the generated files of each kind.

The file depends on a hash of the operator's name alone: a changed, added or removed operator touches one file
of each kind. The number of files grows in powers of two, so that it seldom changes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def shard_count(items: int, per_shard: int, most: int = 64) -> int:
    count = 1
    while count < most and items > count * per_shard:
        count *= 2
    return count


def shard(items: Iterable[T], name: Callable[[T], str], count: int) -> list[list[T]]:
    """Returns `count` lists of `items`, each in the given order; lists may be empty."""
    shards: list[list[T]] = [[] for _ in range(count)]
    for item in items:
        shards[shard_index(name(item), count)].append(item)
    return shards


def shard_index(name: str, count: int) -> int:
    """Returns the number of the list that `shard` puts a name in."""
    return zlib.crc32(name.encode()) % count
