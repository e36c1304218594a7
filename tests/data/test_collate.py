"""default_collate and default_convert, compared with PyTorch's."""

from __future__ import annotations

import collections
from typing import Any

import aten
import numpy as np
import pytest
from both_packages import same

Point = collections.namedtuple("Point", ["x", "y"])


class Labelled(dict[str, Any]):
    """A mapping with an attribute."""

    label = "none"


BATCHES: dict[str, Any] = {
    "ints": [1, 2, 3],
    "bools": [True, False],
    "floats": [0.5, 1.5],
    "strings": ["a", "b"],
    "bytes": [b"a", b"b"],
    "tuples": [(1, 2.0), (3, 4.0)],
    "lists": [[1, "a"], [3, "b"]],
    "dicts": [{"a": 1, "b": [1, 2]}, {"a": 3, "b": [4, 5]}],
    "named tuples": [Point(1, (2, 3)), Point(4, (5, 6))],
    "a mapping of another type": [Labelled(a=1), Labelled(a=2)],
    "an ordered dict": [collections.OrderedDict(b=1, a=2), collections.OrderedDict(b=3, a=4)],
    "ranges": [range(2), range(2, 4)],
    "a deque": [collections.deque([1, 2]), collections.deque([3, 4])],
    "arrays": [np.arange(3, dtype=np.int16), np.arange(3, 6, dtype=np.int16)],
    "array of no dimension": [np.array(1.0, dtype=np.float32)],
    "NumPy's floats": [np.float32(1), np.float32(2)],
    "NumPy's doubles": [np.float64(1), np.float64(2)],
    "NumPy's ints": [np.int16(1), np.int16(2)],
    "NumPy's bools": [np.bool_(True), np.bool_(False)],
    "arrays of strings": [np.array(["a"])],
    "arrays of objects": [np.array([None])],
    "None": [None, None],
    "objects": [object],
    "different lengths": [[1, 2], [3]],
    "nothing": [],
    "a set": [{1}, {2}],
    "a missing key": [{"a": 1}, {"b": 1}],
}
SAMPLES: dict[str, Any] = {
    **BATCHES,
    "array": np.arange(3.0),
    "scalar": np.float32(2),
    "string": "text",
    "number": 3,
    "NumPy's string": np.str_("a"),
    "tuple": (1, np.arange(2)),
    "named": Point(np.arange(2), 1),
    "nested": {"a": [np.arange(2), {"b": np.int8(1)}], "c": (1, "x")},
    "nothing": None,
}


@pytest.mark.parametrize("name", BATCHES)
def test_batches_are_as_in_pytorch(name: str) -> None:
    same(lambda p: p.utils.data.default_collate(BATCHES[name]))


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_converted_as_in_pytorch(name: str) -> None:
    same(lambda p: p.utils.data.default_convert(SAMPLES[name]))


def test_tensors_are_stacked() -> None:
    same(lambda p: p.utils.data.default_collate([p.arange(3), p.arange(3, 6)]))
    same(lambda p: p.utils.data.default_collate([(p.tensor(1), {"a": p.ones(2)})] * 3))
    same(lambda p: p.utils.data.default_collate([p.ones(2), p.ones(3)]), texts=False)


def test_attributes_of_mappings_stay() -> None:
    first = Labelled(a=1)
    first.label = "first"
    made = aten.utils.data.default_collate([first, Labelled(a=2)])
    assert (type(made), made.label, made["a"].tolist()) == (Labelled, "first", [1, 2])
    assert first == {"a": 1}


def test_functions_for_types_can_be_added() -> None:
    from aten.utils.data._utils.collate import collate, default_collate_fn_map

    functions = {set: lambda batch, *, collate_fn_map: set.union(*batch), **default_collate_fn_map}
    made = collate([({1}, 2), ({3}, 4)], collate_fn_map=functions)
    assert made[0] == {1, 3} and made[1].tolist() == [2, 4]
