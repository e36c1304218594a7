"""The structure of arguments and results: flattens nested tuples, lists and dicts, and unflattens them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from ._errors import ProgramError

_SEQUENCES = {"tuple": tuple, "list": list, "immutable_list": list, "Size": tuple, "namedtuple": tuple}
_MAPPINGS = ("dict", "OrderedDict", "defaultdict", "immutable_dict")
_IMMUTABLE = "torch.fx.immutable_collections"
_TYPES = {
    **{"tuple": "builtins.tuple", "list": "builtins.list", "dict": "builtins.dict"},
    **{"OrderedDict": "collections.OrderedDict", "defaultdict": "collections.defaultdict"},
    **{"immutable_list": f"{_IMMUTABLE}.immutable_list", "immutable_dict": f"{_IMMUTABLE}.immutable_dict"},
}


@dataclasses.dataclass(frozen=True)
class Structure:
    """A node of the structure; a leaf if `kind` is empty."""

    kind: str = ""
    keys: tuple[Any, ...] = ()
    children: tuple[Structure, ...] = ()
    # Type and context in an archive, where these are more than the kind and the keys.
    written: tuple[str, Any] | None = dataclasses.field(default=None, compare=False)

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
    kind, written = _known(spec.type.__name__), None
    keys = spec.context[1] if kind == "defaultdict" else spec.context if kind in _MAPPINGS else ()
    if kind == "defaultdict":
        factory = spec.context[0]
        names = {"default_factory_module": factory.__module__, "default_factory_name": factory.__qualname__}
        written = (_TYPES[kind], {**names, "dict_context": list(keys)})
    return Structure(kind, tuple(keys), tuple(from_treespec(c) for c in spec.children()), written)


def from_json(text: str) -> Structure:
    """The structure of a TreeSpec serialised in an archive."""
    _version, spec = json.loads(text)
    return _from_json(spec)


def _from_json(spec: dict[str, Any]) -> Structure:
    if spec["type"] is None:
        return Structure()
    kind, context = _known(spec["type"].rpartition(".")[2]), spec["context"]
    keys: Any = ()
    if kind in _MAPPINGS:
        given = context if isinstance(context, dict) else json.loads(context)
        keys = given["dict_context"] if isinstance(given, dict) else given
    written = (spec["type"], context) if kind in ("namedtuple", "defaultdict") else None
    return Structure(kind, tuple(keys), tuple(_from_json(c) for c in spec["children_spec"]), written)


def to_json(structure: Structure) -> str:
    """The text from which `from_json` and PyTorch read the structure. Named tuples that PyTorch's program had
    in memory become tuples: their class has no name in archives."""
    return json.dumps([1, _to_json(structure)])


def _to_json(structure: Structure) -> dict[str, Any]:
    if not structure.kind:
        return {"type": None, "context": None, "children_spec": []}
    context = json.dumps(list(structure.keys) if structure.kind in _MAPPINGS else None)
    kind, context = structure.written or (_TYPES.get(structure.kind, "builtins.tuple"), context)
    return {"type": kind, "context": context, "children_spec": [_to_json(c) for c in structure.children]}


def _known(kind: str) -> str:
    if kind not in _SEQUENCES and kind not in _MAPPINGS:
        raise ProgramError(
            f"the model takes or returns a {kind}; only tensors in tuples, lists and dicts are supported: "
            "export a module whose forward uses these"
        )
    return kind
