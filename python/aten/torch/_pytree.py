"""torch.utils._pytree: values in containers, as a list of leaves and the containers' structure.

Containers are tuples, named tuples, lists, dicts, OrderedDicts, defaultdicts, deques, and those of classes
that register_pytree_node() names. None and all else are leaves.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias

    Flatten: TypeAlias = Callable[[Any], tuple[list[Any], Any]]
    Unflatten: TypeAlias = Callable[[Iterable[Any], Any], Any]


class MappingKey:
    """The step of a path into a dict."""

    def __init__(self, key: object) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return f"[{self.key!r}]"

    __repr__ = __str__


class SequenceKey:
    """The step of a path into a sequence."""

    def __init__(self, idx: int) -> None:
        self.idx = idx

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.idx == self.idx

    def __hash__(self) -> int:
        return hash(self.idx)

    def __str__(self) -> str:
        return f"[{self.idx}]"

    __repr__ = __str__


def _sequence(kind: Callable[[Iterable[Any]], Any]) -> tuple[Flatten, Unflatten]:
    return lambda parts: (list(parts), None), lambda parts, context: kind(parts)


def _dict_flatten(d: dict[Any, Any]) -> tuple[list[Any], Any]:
    return list(d.values()), list(d)


def _dict_flatten_with_keys(d: dict[Any, Any]) -> tuple[list[tuple[MappingKey, Any]], Any]:
    return [(MappingKey(key), value) for key, value in d.items()], list(d)


def _dict_unflatten(values: Iterable[Any], context: Any) -> dict[Any, Any]:
    return dict(zip(context, values, strict=True))


_NODES: dict[Any, tuple[Flatten, Unflatten]] = {
    tuple: _sequence(tuple),
    list: _sequence(list),
    dict: (_dict_flatten, _dict_unflatten),
    OrderedDict: (_dict_flatten, lambda values, keys: OrderedDict(zip(keys, values, strict=True))),
    defaultdict: (
        lambda d: (list(d.values()), [d.default_factory, list(d)]),
        lambda values, context: defaultdict(context[0], zip(context[1], values, strict=True)),
    ),
    deque: (lambda d: (list(d), d.maxlen), lambda values, maxlen: deque(values, maxlen)),
    # All named tuples; the context is their class.
    namedtuple: (lambda parts: (list(parts), type(parts)), lambda values, kind: kind(*values)),
}


def register_pytree_node(
    cls: type,
    flatten_fn: Flatten,
    unflatten_fn: Unflatten,
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Any = None,
    from_dumpable_context: Any = None,
    flatten_with_keys_fn: Any = None,
) -> None:
    """Makes objects of a class containers. flatten_fn(object) gives (parts, context), from which
    unflatten_fn(parts, context) makes the object again. ValueError if the class is registered.

    The other arguments are for saving structures and for paths, which are not here.
    """
    if cls in _NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _NODES[cls] = flatten_fn, unflatten_fn


def _register_pytree_node(
    cls: type, flatten_fn: Flatten, unflatten_fn: Unflatten, *args: Any, **kwargs: Any
) -> None:
    """register_pytree_node() of older programs, which may register a class again."""
    _NODES[cls] = flatten_fn, unflatten_fn


class TreeSpec:
    """The structure of a value: the class of the container, its context, and the structures of its parts.

    `type` is None for a leaf.
    """

    def __init__(self, type: Any, context: Any, children: list[TreeSpec]) -> None:
        self.type, self.context, self._children = type, context, children
        self.num_leaves: int = sum(child.num_leaves for child in children) if type is not None else 1
        self.num_nodes: int = 1 + sum(child.num_nodes for child in children)
        self.num_children = len(children)

    def children(self) -> list[TreeSpec]:
        """The structures of the parts."""
        return list(self._children)

    def is_leaf(self) -> bool:
        """Whether it is the structure of a leaf."""
        return self.type is None

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The value of this structure with these leaves. ValueError for another number of leaves."""
        given = list(leaves)
        if len(given) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(given)} but the spec refers to a "
                f"pytree that holds {self.num_leaves} items ({self})."
            )
        return self._made(iter(given))

    def _made(self, leaves: Iterator[Any]) -> Any:
        if self.type is None:
            return next(leaves)
        parts = [child._made(leaves) for child in self._children]
        return _NODES[self.type][1](parts, self.context)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TreeSpec)
            and (self.type, self.context) == (other.type, other.context)
            and self._children == other._children
        )

    def __hash__(self) -> int:
        return hash((self.type, str(self.context), tuple(self._children)))

    def __repr__(self) -> str:
        if self.type is None:
            return "*"
        return f"TreeSpec({self.type.__name__}, {self.context}, {self._children})"


def _node_type(tree: Any) -> Any:
    """The key of a container in _NODES; None for a leaf."""
    kind = type(tree)
    if kind in _NODES:
        return kind
    return namedtuple if isinstance(tree, tuple) and hasattr(kind, "_fields") else None


def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], TreeSpec]:
    """Returns the leaves, in order, and the structure. is_leaf: tells containers that are leaves."""
    leaves: list[Any] = []
    return leaves, _flatten(tree, leaves, is_leaf)


def _flatten(tree: Any, leaves: list[Any], is_leaf: Callable[[Any], bool] | None) -> TreeSpec:
    kind = None if is_leaf is not None and is_leaf(tree) else _node_type(tree)
    if kind is None:
        leaves.append(tree)
        return TreeSpec(None, None, [])
    parts, context = _NODES[kind][0](tree)
    return TreeSpec(kind, context, [_flatten(part, leaves, is_leaf) for part in parts])


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> Any:
    """The value of the structure with these leaves."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(
            f"tree_unflatten(leaves, treespec): expected a TreeSpec, got {type(treespec).__name__}"
        )
    return treespec.unflatten(leaves)


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves, in order."""
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Iterator[Any]:
    """An iterator over the leaves."""
    return iter(tree_leaves(tree, is_leaf))


def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> TreeSpec:
    """The structure."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(
    func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """The tree with func(leaf, ...) for each leaf; the other arguments are the leaves of `rests`, whose
    structures must be the same: ValueError."""
    leaves, spec = tree_flatten(tree, is_leaf)
    columns = [leaves]
    for rest in rests:
        others, other = tree_flatten(rest, is_leaf)
        if other != spec:
            raise ValueError(f"tree_map(): the trees differ in structure: {spec} and {other}")
        columns.append(others)
    return spec.unflatten(func(*values) for values in zip(*columns, strict=True))


def tree_map_(
    func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """Calls func as tree_map() does, and returns the tree itself."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def _chooses(kinds: Any) -> Any:
    if isinstance(kinds, (type, tuple)) or not callable(kinds):
        return lambda leaf: isinstance(leaf, kinds)
    return kinds


def tree_map_only(
    type_or_types_or_pred: Any,
    /,
    func: Callable[[Any], Any],
    tree: Any,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """tree_map() that leaves the leaves of other types, or for which the predicate is false, as they are."""
    chosen = _chooses(type_or_types_or_pred)
    return tree_map(lambda leaf: func(leaf) if chosen(leaf) else leaf, tree, is_leaf=is_leaf)


def tree_all(pred: Callable[[Any], bool], tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Whether the predicate holds for all leaves."""
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred: Callable[[Any], bool], tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Whether the predicate holds for some leaf."""
    return any(map(pred, tree_leaves(tree, is_leaf)))
