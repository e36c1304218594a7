"""Valid calls with one thing damaged: no crash, no hang, errors name the operator, devices are not mixed."""

from __future__ import annotations

import aten
import damaged
import hostile
import pytest
from damaged_devices import Given, WrongDevice, check_devices
from valid_calls import valid_calls

pytestmark = pytest.mark.slow
NAMES = hostile.overloads()
GROUPS = [NAMES[i : i + 24] for i in range(0, len(NAMES), 24)]
EVERY_GROUP = pytest.mark.parametrize("names", GROUPS, ids=lambda names: f"{names[0]}..{names[-1]}")
# Overload: why no call of it is accepted.
REFUSED = {
    "_embedding_bag_sparse_backward": "its result is sparse, and there are no sparse tensors",
    **dict.fromkeys(("pin_memory", "_pin_memory", "_pin_memory.out"), "needs a GPU"),
}


@EVERY_GROUP
def test_what_is_damaged_was_valid(names: list[str]) -> None:
    """Each overload accepts the undamaged call."""
    refused = [n for n in names if not any(damaged.accepted(damaged.completed(v)) for v in valid_calls()[n])]
    assert sorted(refused) == sorted(REFUSED.keys() & set(names))


@EVERY_GROUP
def test_damaged_calls(names: list[str]) -> None:
    valid_calls()  # once, before children are forked
    problems = hostile.in_child([(n, seed) for n in names for seed in range(8)], damaged.make_quick_call)
    assert not problems, "\n".join(problems)


def given(**devices: str) -> list[Given]:
    """Returns tensors by parameter; a 0 after the device is one without dimensions."""
    shapes = {name: () if at.endswith("0") else (3,) for name, at in devices.items()}
    return [
        Given(name, aten.zeros(shapes[name], device=at.removesuffix("0")), written=name == "out")
        for name, at in devices.items()
    ]


@pytest.mark.parametrize(
    ("name", "devices", "result"),
    [
        ("add.Tensor", {"self": "cpu", "other": "meta"}, "meta"),
        ("add.Tensor", {"self": "cpu", "other": "meta0"}, "cpu"),
        ("add.out", {"self": "meta", "other": "meta", "out": "cpu0"}, "cpu"),
        ("add.Tensor", {"self": "meta", "other": "cpu0"}, "cpu"),
        ("index.Tensor", {"self": "cpu", "indices": "meta"}, "cpu"),
    ],
)
def test_mixed_devices_are_noticed(name: str, devices: dict[str, str], result: str) -> None:
    with pytest.raises(WrongDevice):
        check_devices(name, given(**devices), aten.zeros((3,), device=result), asked=False)


@pytest.mark.parametrize(
    ("name", "devices", "result"),
    [
        ("add.Tensor", {"self": "meta", "other": "cpu0"}, "meta"),
        ("index.Tensor", {"self": "meta", "indices": "cpu"}, "meta"),
        ("view_as", {"self": "cpu", "other": "meta"}, "cpu"),
        ("copy_", {"self": "meta", "src": "cpu"}, "meta"),
    ],
)
def test_what_may_be_elsewhere(name: str, devices: dict[str, str], result: str) -> None:
    check_devices(name, given(**devices), aten.zeros((3,), device=result), asked=False)
