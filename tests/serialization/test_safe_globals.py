"""Classes and functions that users allow in checkpoints."""

from __future__ import annotations

import builtins
import io
import os
import pickle
from collections import defaultdict

import aten
import pytest
from checkpoint_files import START, archive, loaded, named, text

HERE = __name__


class Point:
    def __init__(self, x: int) -> None:
        self.x = x


class Other(Point):
    pass


class Slots:
    __slots__ = ("a",)


class Words(dict):  # type: ignore[type-arg]
    pass


def test_classes_of_users() -> None:
    """Without being allowed they are an error that says what to do; the scope ends."""
    slots = Slots()
    slots.a = 5
    value = {"p": Point(3), "s": slots, "w": Words(a=1)}
    file = io.BytesIO()
    aten.save(value, file)
    content = file.getvalue()
    with pytest.raises(pickle.UnpicklingError, match=r"Point' is not allowed.*add_safe_globals"):
        loaded(content)
    with aten.serialization.safe_globals([Point, Slots, Words]):
        found = loaded(content)
        assert aten.serialization.get_safe_globals() == [Point, Slots, Words]
    assert type(found["p"]) is Point and found["p"].x == 3 and found["s"].a == 5
    assert type(found["w"]) is Words and found["w"] == {"a": 1}
    assert aten.serialization.get_safe_globals() == []
    aten.serialization.add_safe_globals([defaultdict, int])
    assert loaded(archive(pickle.dumps(defaultdict(int, a=1), 2)))["b"] == 0


def test_a_class_stands_for_another_name() -> None:
    pickled = named("gone.module Point") + b")\x81}" + text("x") + b"K\7sb"
    with aten.serialization.safe_globals([(Point, "gone.module.Point")]):
        assert loaded(archive(START + pickled + b".")).x == 7


def test_an_allowed_class_gives_no_more() -> None:
    with aten.serialization.safe_globals([Point]):
        for attack in (
            named(f"{HERE} Point") + b"}" + text("x") + b"K\1sb",
            named(f"{HERE} Point.__init__") + b")R",
            named(f"{HERE} Point") + b")\x81}" + text("__class__") + named("collections OrderedDict") + b"sb",
            named(f"{HERE} Point") + b")\x81N}" + text("__class__") + named(f"{HERE} Point") + b"s\x86b",
            named(f"{HERE} Other") + b")\x81",
        ):
            with pytest.raises(pickle.UnpicklingError):
                loaded(archive(START + attack + b"."))


def test_functions_that_do_anything_cannot_be_allowed() -> None:
    for function in (eval, exec, getattr, setattr, builtins.__import__, open, type, compile, os.system):
        with pytest.raises(ValueError, match="a file could do anything"):
            aten.serialization.add_safe_globals([function])
    for item in ((1, 2), (Point, 3), (Point, "a", "b")):
        with pytest.raises(TypeError, match="expected a tuple of a class or function and a str"):
            aten.serialization.add_safe_globals([item])
    with (
        aten.serialization.safe_globals([(print, "os.system")]),
        pytest.raises(pickle.UnpicklingError, match="never"),
    ):
        loaded(archive(START + named("os system") + b")R."))
