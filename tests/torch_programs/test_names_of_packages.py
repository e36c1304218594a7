"""What packages for PyTorch ask of it beside its documented functions."""

from __future__ import annotations

import collections
import importlib.metadata
import os
from pathlib import Path
from typing import Any, NamedTuple

import aten
import aten.torch
import pytest
from aten.nn.modules import _arguments as own
from aten.torch import (
    _absent_dtypes,
    _annotations,
    _dispatch_keys,
    _distribution,
    _fakes,
    _finder,
    _hub,
    _indexing,
    _pytree,
)
from aten.torch._version import __version__


class Pair(NamedTuple):
    first: Any
    second: Any


class Box:
    def __init__(self, content: Any) -> None:
        self.content = content

    def __repr__(self) -> str:  # a test's name, which has no address
        return f"Box({self.content})"


TREES: list[Any] = [
    3,
    None,
    [],
    (1, [2, {"b": 3, "a": (4,)}]),
    Pair(1, Pair([2], None)),
    collections.OrderedDict(z=1, y=[2, 3]),
    collections.defaultdict(list, a=[1], b=[]),
    collections.deque([1, [2]], maxlen=5),
    {"x": Box(1)},
]


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_trees_are_flattened_as_pytorchs(tree: Any) -> None:
    theirs = pytest.importorskip("torch").utils._pytree
    leaves, spec = _pytree.tree_flatten(tree)
    their_leaves, their_spec = theirs.tree_flatten(tree)
    assert leaves == their_leaves
    for name in ("num_leaves", "num_nodes", "num_children", "type", "context"):
        assert getattr(spec, name) == getattr(their_spec, name)
    assert spec == _pytree.tree_structure(tree) and hash(spec) == hash(_pytree.tree_structure(tree))
    made = _pytree.tree_unflatten(leaves, spec)
    assert made == tree and type(made) is type(tree)
    if isinstance(tree, collections.deque):
        assert made.maxlen == tree.maxlen


def test_functions_of_trees() -> None:
    theirs = pytest.importorskip("torch").utils._pytree
    tree, other = {"a": [1, 2.0], "b": (3,)}, {"a": [10, 20], "b": (30,)}
    for name, arguments in {
        "tree_leaves": (tree,),
        "tree_map": (lambda x, y: x + y, tree, other),
        "tree_map_only": (int, str, tree),
        "tree_all": (lambda x: x > 1, tree),
        "tree_any": (lambda x: x > 1, tree),
    }.items():
        assert getattr(_pytree, name)(*arguments) == getattr(theirs, name)(*arguments)
    chosen = {"is_leaf": lambda part: isinstance(part, list)}
    assert _pytree.tree_leaves(tree, **chosen) == theirs.tree_leaves(tree, **chosen)
    assert list(_pytree.tree_iter(tree)) == [1, 2.0, 3]
    assert _pytree.tree_map_([].append, tree) is tree


def test_classes_become_containers() -> None:
    class Bag(Box): ...

    bag = Bag([1, 2])
    assert _pytree.tree_leaves(bag) == [bag]
    _pytree.register_pytree_node(Bag, lambda b: ([b.content], "tag"), lambda parts, _: Bag(*parts))
    leaves, spec = _pytree.tree_flatten((bag, 3))
    assert leaves == [1, 2, 3] and spec.children()[0].context == "tag"
    assert spec.unflatten([4, 5, 6])[0].content == [4, 5]
    with pytest.raises(ValueError, match="already registered"):
        _pytree.register_pytree_node(Bag, lambda b: ([], None), lambda parts, _: Bag(None))


def test_errors_of_trees() -> None:
    spec = _pytree.tree_structure([1, 2])
    with pytest.raises(ValueError, match="has length 1 but the spec refers to a pytree that holds 2 items"):
        spec.unflatten([1])
    with pytest.raises(TypeError, match="expected a TreeSpec, got list"):
        _pytree.tree_unflatten([1], [1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="differ in structure"):
        _pytree.tree_map(max, [1], (1,))


def test_the_distribution_torch_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    finder = _finder.Finder()
    monkeypatch.setattr("sys.meta_path", [finder, *__import__("sys").meta_path])
    assert importlib.metadata.version("torch") == __version__
    assert importlib.metadata.distribution("torch").metadata["Name"] == "torch"
    assert not list(importlib.metadata.distributions(path=[str(tmp_path)]))
    context = importlib.metadata.DistributionFinder.Context(name="numpy")
    assert not list(finder.find_distributions(context))
    assert _distribution.TorchDistribution().read_text("RECORD") is None


def test_hub_reads_files_that_are_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    monkeypatch.setattr(_hub, "_folder", None)
    assert _hub.get_dir() == os.path.join(tmp_path, "hub")
    with pytest.raises(FileNotFoundError, match=r"Save https://x\.org/a/w-1f\.pt as .*checkpoints"):
        _hub.load_state_dict_from_url("https://x.org/a/w-1f.pt?b=1".partition("?")[0])
    folder = tmp_path / "hub" / "checkpoints"
    folder.mkdir(parents=True)
    aten.save({"weight": aten.ones(2)}, folder / "w.pt")
    assert _hub.load_state_dict_from_url("https://x.org/a/w.pt?b=1")["weight"].tolist() == [1.0, 1.0]
    with pytest.raises(NotImplementedError, match="nothing is downloaded"):
        _hub.download_url_to_file("https://x.org/w.pt", "w.pt")
    _hub.set_dir("~/models")
    assert _hub.get_dir() == os.path.expanduser("~/models")


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"])
def test_limits_of_absent_dtypes(name: str) -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = getattr(_absent_dtypes, name), getattr(torch, name)
    assert repr(ours) == repr(theirs)
    for attribute in ("itemsize", "is_signed", "is_floating_point", "is_complex"):
        assert getattr(ours, attribute) == getattr(theirs, attribute)
    limits, expected = _absent_dtypes.finfo(ours), torch.finfo(theirs)
    for attribute in ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution", "dtype"):
        assert getattr(limits, attribute) == getattr(expected, attribute)
    assert repr(limits) == repr(expected)
    assert ours != aten.float32 and isinstance(limits, aten.finfo)
    with pytest.raises(TypeError):
        aten.ones(2, dtype=ours)
    assert _absent_dtypes.finfo(aten.float16) == aten.finfo(aten.float16)


@pytest.mark.parametrize("value", [3, [3], (1, 2), range(3), "ab"])
@pytest.mark.parametrize("name", ["_single", "_pair", "_triple", "_quadruple"])
def test_values_for_each_dimension(name: str, value: Any) -> None:
    utils = pytest.importorskip("torch.nn.modules.utils")
    assert getattr(own, name)(value) == getattr(utils, name)(value)
    padding = (1, 2, 3)
    assert own._reverse_repeat_tuple(padding, 2) == utils._reverse_repeat_tuple(padding, 2)


def test_scalar_tensors_take_elements_by_gathering() -> None:
    x = aten.arange(6.0).view(2, 3)
    with _indexing.TransformGetItemToIndex():
        taken, rows = x[aten.tensor(1), 2], x[aten.tensor([1, 0])]
        part = x[:, 1]
    assert taken.item() == 5 and rows.tolist() == [[3, 4, 5], [0, 1, 2]]
    assert part.tolist() == [1, 4]
    assert taken.untyped_storage().data_ptr() != x.untyped_storage().data_ptr()


def test_names_of_keys_and_types() -> None:
    keys = aten.library.DispatchKeySet(_dispatch_keys.DispatchKey.CPU)  # type: ignore[attr-defined]
    assert keys == aten.library.DispatchKeySet("CPU")
    assert not hasattr(_dispatch_keys.DispatchKey, "__wrapped__")
    assert _annotations.annotate(list[int], value := [1]) is value
    assert isinstance(3, _annotations._Number) and _annotations.BroadcastingList2[int] is not None


def test_shapes_of_operators_that_are_not_here_are_accepted() -> None:
    def shapes() -> None: ...

    assert _fakes.register_fake("nowhere::nothing")(shapes) is shapes
    assert _fakes.register_fake("nowhere::nothing", shapes) is shapes
