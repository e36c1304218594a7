"""Values in tuples, lists and dictionaries, nested to any depth."""

from __future__ import annotations

from collections import OrderedDict

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def mapped(f: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with f(leaf) for each leaf: what is no tuple, list, dictionary or named tuple."""
    kind = type(tree)
    if kind in (dict, OrderedDict):
        return kind((key, mapped(f, part)) for key, part in tree.items())
    if kind in (tuple, list):
        return kind(mapped(f, part) for part in tree)
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return kind(*(mapped(f, part) for part in tree))
    return f(tree)


def leaves(tree: Any) -> list[Any]:
    """The leaves, in order."""
    found: list[Any] = []
    mapped(found.append, tree)
    return found


def like(tree: Any, values: Iterable[Any]) -> Any:
    """The tree with the values in place of its leaves."""
    given = iter(values)
    return mapped(lambda _: next(given), tree)


def broadcast(prefix: Any, tree: Any) -> list[Any] | None:
    """For each leaf of the tree, the value at its place in `prefix`, which is as the tree where it isn't a
    leaf; None if they don't fit."""
    parts = _parts(prefix)
    if parts is None:
        return [prefix] * len(leaves(tree))
    own = _parts(tree)
    if own is None or type(prefix) is not type(tree) or list(parts) != list(own):
        return None
    found = [broadcast(parts[key], own[key]) for key in own]
    return None if any(f is None for f in found) else [value for f in found for value in f or ()]


def _parts(tree: Any) -> dict[Any, Any] | None:
    """The parts of a tuple, list or dictionary; None for a leaf."""
    if type(tree) in (dict, OrderedDict):
        return dict(tree)
    if type(tree) in (tuple, list) or (isinstance(tree, tuple) and hasattr(tree, "_fields")):
        return dict(enumerate(tree))
    return None


class _Leaf:
    def __repr__(self) -> str:
        return "*"


_LEAF = _Leaf()


def structure(tree: Any) -> Any:
    """The tree with equal leaves, which are shown as *."""
    return mapped(lambda _: _LEAF, tree)
