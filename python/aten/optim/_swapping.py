"""An optimizer that works for a while on other parameters, with another state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .._C import Tensor
from .optimizer import Optimizer

_NAME = "swap_in_optimizer_params_and_state"


@contextmanager
def swap_in_optimizer_params_and_state(
    optimizer: Optimizer, swapin_parameters: Mapping[str, Tensor], swapin_optim_state: Mapping[str, Any]
) -> Iterator[None]:
    """Within the context the optimizer has these parameters, in the order of its own, and this state, which
    has the form of state_dict(). Afterwards it is as it was; of what step() did there, only what was written
    to the tensors that were given remains.

    RuntimeError if the optimizer has no state yet, or parameters, groups or their keys differ.
    """
    groups = _matched(optimizer, list(swapin_parameters.values()), swapin_optim_state)
    given, kept = swapin_optim_state["state"], optimizer.state
    before = [dict(group) for group in optimizer.param_groups]
    state: defaultdict[Tensor, Any] = defaultdict(dict)
    try:
        for live, (group, parameters) in zip(optimizer.param_groups, groups, strict=True):
            live.update(group, params=parameters)
            for parameter, key in zip(parameters, group["params"], strict=True):
                state[parameter] = dict(given.get(key, {}))
        optimizer.state = state
        yield
    finally:
        for live, was in zip(optimizer.param_groups, before, strict=True):
            live.clear()
            live.update(was)
        optimizer.state = kept


def _matched(
    optimizer: Optimizer, parameters: list[Tensor], state: Mapping[str, Any]
) -> list[tuple[dict[str, Any], list[Tensor]]]:
    """Returns the given groups with their parameters."""
    if not optimizer.state:
        raise RuntimeError(f"{_NAME}: the optimizer has no state yet; call step() first")
    if not isinstance(state, dict) or not isinstance(state.get("state"), dict):
        raise RuntimeError(f"{_NAME}: expected a state as optimizer.state_dict() returns it")
    groups, lives = state.get("param_groups"), optimizer.param_groups
    if not isinstance(groups, list) or len(groups) != len(lives):
        raise RuntimeError(f"{_NAME}: expected {len(lives)} param_groups, as the optimizer has")
    matched, at = [], 0
    for i, (group, live) in enumerate(zip(groups, lives, strict=True)):
        keys = group.get("params")
        if not isinstance(keys, list) or not all(isinstance(key, int) for key in keys):
            raise RuntimeError(
                f"{_NAME}: the 'params' of group {i} are not numbers, as in optimizer.state_dict()"
            )
        if len(keys) != len(live["params"]) or group.keys() != live.keys():
            differing = sorted(group.keys() ^ live.keys())
            raise RuntimeError(
                f"{_NAME}: group {i} has {len(keys)} parameters, and the optimizer's {len(live['params'])}; "
                f"keys of only one of the two: {differing}"
            )
        matched.append((group, parameters[at : at + len(keys)]))
        at += len(keys)
    unknown = sorted(set(state["state"]) - {key for group in groups for key in group["params"]}, key=str)
    if at > len(parameters) or unknown:
        raise RuntimeError(
            f"{_NAME}: expected {at} parameters or more, got {len(parameters)}; "
            f"states of no parameter: {unknown}"
        )
    return matched
