"""The structure of arguments and results: flattens nested tuples, lists and dicts, and unflattens them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from ._errors import ProgramError

_SEQUENCES = {"tuple": tuple, "list": list, "immutable_list": list, "Size": tuple, "namedtuple": tuple}
_MAPPINGS = ("dict", "OrderedDict", "defaultdict", "immutable_dict")


@dataclasses.dataclass(frozen=True)
class Structure:
    """A node of the structure; a leaf if `kind` is empty."""

    kind: str = ""
    keys: tuple[Any, ...] = ()
    children: tuple[Structure, ...] = ()

    def leaves(self, value: Any, place: str) -> Iterator[tuple[str, Any]]:
        """The leaves of `value` with their paths; ProgramError if its structure differs."""
        if not self.kind:
            yield place, value
        elif self.kind in _MAPPINGS:
            if not isinstance(value, dict) or set(value) != set(self.keys):
                given = str(sorted(map(str, value))) if isinstance(value, dict) else type(value).__name__
                raise ProgramError(
                    f"{place}: expected a dict with the keys {sorted(map(str, self.keys))}, got {given}"
                )
            for key, child in zip(self.keys, self.children, strict=True):
                yield from child.leaves(value[key], f"{place}[{key!r}]")
        else:
            if not isinstance(value, (list, tuple)) or len(value) != len(self.children):
                given = str(len(value)) if isinstance(value, (list, tuple)) else type(value).__name__
                raise ProgramError(f"{place}: expected {len(self.children)} values, got {given}")
            for i, child in enumerate(self.children):
                yield from child.leaves(value[i], f"{place}[{i}]")

    @property
    def count(self) -> int:
        """The number of leaves."""
        return sum(child.count for child in self.children) if self.kind else 1

    def built(self, leaves: Iterator[Any]) -> Any:
        """The value with the given leaves."""
        if not self.kind:
            return next(leaves)
        values = [child.built(leaves) for child in self.children]
        return (
            dict(zip(self.keys, values, strict=True))
            if self.kind in _MAPPINGS
            else _SEQUENCES[self.kind](values)
        )


def from_treespec(spec: Any) -> Structure:
    """The structure of PyTorch's TreeSpec."""
    if spec.is_leaf():
        return Structure()
    kind = _known(spec.type.__name__)
    keys = spec.context[1] if kind == "defaultdict" else spec.context if kind in _MAPPINGS else ()
    return Structure(kind, tuple(keys), tuple(from_treespec(c) for c in spec.children()))


def from_json(text: str) -> Structure:
    """The structure of a TreeSpec serialised in an archive."""
    _version, spec = json.loads(text)
    return _from_json(spec)


def _from_json(spec: dict[str, Any]) -> Structure:
    if spec["type"] is None:
        return Structure()
    kind = _known(spec["type"].rpartition(".")[2])
    context = json.loads(spec["context"]) if kind in _MAPPINGS else ()
    keys = context["dict_context"] if isinstance(context, dict) else context
    return Structure(kind, tuple(keys), tuple(_from_json(c) for c in spec["children_spec"]))


def _known(kind: str) -> str:
    if kind not in _SEQUENCES and kind not in _MAPPINGS:
        raise ProgramError(
            f"the model takes or returns a {kind}; only tensors in tuples, lists and dicts are supported: "
            "export a module whose forward uses these"
        )
    return kind
