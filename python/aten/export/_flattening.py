"""The structure of given arguments and results, and their leaves."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Any

from ._structure import Structure

_MAPPINGS = {dict: "dict", OrderedDict: "OrderedDict", defaultdict: "defaultdict"}


def flattened(value: Any) -> tuple[Structure, list[Any]]:
    """The structure of nested tuples, lists and dicts, and what is in them."""
    leaves: list[Any] = []
    return _structure(value, leaves), leaves


def _structure(value: Any, leaves: list[Any]) -> Structure:
    if isinstance(value, (tuple, list)):
        kind = type(value).__name__ if type(value) in (tuple, list) else "namedtuple"
        return Structure(kind, (), tuple(_structure(v, leaves) for v in value))
    if type(value) in _MAPPINGS:
        children = tuple(_structure(v, leaves) for v in value.values())
        return Structure(_MAPPINGS[type(value)], tuple(value), children)
    leaves.append(value)
    return Structure()


def labels(structure: Structure, name: str) -> list[str]:
    """A name for each leaf: `pair_0`, `options_key`."""
    if not structure.kind:
        return [name]
    keys = structure.keys or range(len(structure.children))
    return [
        label
        for key, child in zip(keys, structure.children, strict=True)
        for label in labels(child, f"{name}_{key}")
    ]
