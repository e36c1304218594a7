"""A call of a module finds its hooks, in whichever way they were set."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import aten
import pytest
from aten import nn

seen: list[str] = []


def before(module: nn.Module, args: Any) -> None:
    seen.append("called")


@pytest.fixture(autouse=True)
def nothing_was_seen() -> None:
    seen.clear()


def by_item(module: nn.Module) -> nn.Module:
    module._forward_pre_hooks[7] = before
    return module


def by_update(module: nn.Module) -> nn.Module:
    module._forward_pre_hooks.update({7: before})
    return module


def by_default(module: nn.Module) -> nn.Module:
    module._forward_pre_hooks.setdefault(7, before)
    return module


def by_a_dict_of_no_order(module: nn.Module) -> nn.Module:
    vars(module)["_forward_pre_hooks"] = {7: before}
    return module


def by_another_dict(module: nn.Module) -> nn.Module:
    module._forward_pre_hooks = OrderedDict()
    module._forward_pre_hooks[7] = before
    return module


def registered(module: nn.Module) -> nn.Module:
    module.register_forward_pre_hook(before)
    return module


def copied(module: nn.Module) -> nn.Module:
    module.register_forward_pre_hook(before)
    return copy.deepcopy(module)


def unpickled(module: nn.Module) -> nn.Module:
    module.register_forward_pre_hook(before)
    return pickle.loads(pickle.dumps(module))


@pytest.mark.parametrize(
    "first",
    [by_item, by_update, by_default, by_a_dict_of_no_order, by_another_dict, registered, copied, unpickled],
)
def test_the_first_hook_is_called(first: Callable[[nn.Module], nn.Module]) -> None:
    module = nn.Linear(1, 1)
    module(aten.ones(1, 1))
    assert not seen
    first(module)(aten.ones(1, 1))
    assert seen == ["called"]


@pytest.mark.parametrize("keywords", [{}, {"input": aten.ones(1)}])
def test_the_first_hook_of_all_modules_is_called(keywords: dict[str, aten.Tensor]) -> None:
    with nn.modules.module.register_module_forward_pre_hook(before):
        nn.ReLU()(*(() if keywords else (aten.ones(1),)), **keywords)
    assert seen == ["called"]


def test_the_first_hook_of_gradients_is_called() -> None:
    module = nn.Linear(1, 1)
    module.register_full_backward_hook(lambda *_: seen.append("backward"))
    module(aten.ones(1, 1, requires_grad=True)).sum().backward()
    assert seen == ["backward"]


def test_a_copy_has_hooks_of_its_own() -> None:
    module = nn.Linear(1, 1)
    handle = module.register_forward_pre_hook(before)
    other, others_handle = copy.deepcopy((module, handle))
    others_handle.remove()
    other(aten.ones(1, 1))
    assert not seen
    module(aten.ones(1, 1))
    assert seen == ["called"]


def test_an_unpickled_module_takes_hooks() -> None:
    module = pickle.loads(pickle.dumps(nn.Linear(1, 1)))
    module._forward_pre_hooks[7] = before
    module(aten.ones(1, 1))
    assert seen == ["called"]


def test_a_module_without_init() -> None:
    class Module(nn.Module):
        def __init__(self) -> None:
            pass

    with pytest.raises(
        AttributeError, match=r"'Module' object has no attribute .*__init__\(\) wasn't called"
    ):
        Module()(1)


def test_replaced_parameters_are_used() -> None:
    module = nn.Linear(2, 2, bias=False)
    x = aten.eye(2)
    module._parameters["weight"] = nn.Parameter(aten.full((2, 2), 3.0))
    assert module(x).tolist() == [[3, 3], [3, 3]]
    del module.weight
    module.weight = aten.full((2, 2), 5.0)  # no parameter any more
    assert module(x).tolist() == [[5, 5], [5, 5]]
