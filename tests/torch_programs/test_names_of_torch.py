"""The names that aten.torch adds are PyTorch's, and behave as PyTorch's do."""

from __future__ import annotations

import importlib.util
import inspect
from typing import Any

import aten
import pytest
from aten.torch import _checks, _finder, _names, _reasons
from aten.torch._version import Version, __version__

torch = pytest.importorskip("torch")

from torch.torch_version import TorchVersion  # noqa: E402


def module(place: str) -> Any:
    return importlib.import_module(f"torch.{place}" if place else "torch")


@pytest.mark.parametrize("place", sorted(_names.PLACES))
def test_added_names_are_pytorchs(place: str) -> None:
    theirs = module(place)
    assert [n for n in _names.added(place) if not hasattr(theirs, n)] == []


@pytest.mark.parametrize("place", _reasons._MODULES)
def test_a_reason_is_for_a_module_of_pytorchs_that_is_not_here(place: str) -> None:
    assert importlib.util.find_spec(f"torch.{place}") is not None
    assert not _finder.exists(place)


@pytest.mark.parametrize("place", _names._UNCHANGED)
def test_decorators_return_what_they_are_given(place: str) -> None:
    def function() -> None: ...

    for name in _names._UNCHANGED[place].split():
        assert _names.added(place)[name](function) is function


@pytest.mark.parametrize("other", ["1.13.1", "2.2", "2.13", "2.13.0", "2.14.0", "3.0", "2.13.1"])
@pytest.mark.parametrize("compare", ["__lt__", "__le__", "__gt__", "__ge__"])
def test_versions_are_ordered_by_their_numbers(other: str, compare: str) -> None:
    theirs = getattr(TorchVersion("2.13.0"), compare)
    assert getattr(Version("2.13.0"), compare)(other) == theirs(other)
    numbers = tuple(int(n) for n in other.split("."))
    assert getattr(Version("2.13.0"), compare)(numbers) == theirs(numbers)


def test_the_version_is_that_of_the_compared_pytorch() -> None:
    assert __version__.partition("+")[0] == torch.__version__.partition("+")[0]
    assert TorchVersion(__version__) >= "2.13.0"  # a valid version
    assert "+aten." in __version__


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (aten.amp.autocast, torch.amp.autocast),
        (aten.cuda.amp.autocast, torch.cuda.amp.autocast),
        (aten.amp.GradScaler, torch.amp.GradScaler),
        (aten.cuda.amp.GradScaler, torch.cuda.amp.GradScaler),
    ],
)
def test_parameters_of_mixed_precision(ours: type, theirs: type) -> None:
    ours_, theirs_ = (
        [
            (p.name, str(p.default).replace("aten.", "torch."))
            for p in inspect.signature(cls).parameters.values()
        ]
        for cls in (ours, theirs)
    )
    assert ours_ == theirs_


def test_a_scaler_that_is_not_enabled() -> None:
    ours, theirs = (cls(enabled=False) for cls in (aten.amp.GradScaler, torch.amp.GradScaler))
    for name in ("get_scale", "is_enabled", "state_dict"):
        assert getattr(ours, name)() == getattr(theirs, name)()
    value = object()
    assert ours.scale(value) is value and theirs.scale(value) is value


@pytest.mark.parametrize("arguments", [(True,), (False,), (False, lambda: "too few")])
def test_checks_raise_as_pytorchs(arguments: tuple[Any, ...]) -> None:
    errors = []
    for check in (_checks._check, torch._check):
        try:
            check(*arguments)
            errors.append(None)
        except RuntimeError as error:
            errors.append(str(error).partition(" (")[0])
    assert errors[0] == errors[1]
    if len(arguments) == 1 and not arguments[0]:
        with pytest.raises(AssertionError, match="no"):
            _checks._assert(False, "no")
