"""Switches for how modules convert their parameters."""

from __future__ import annotations

_swaps = False
_overwrites = False


def set_swap_module_params_on_conversion(value: bool) -> None:
    """Sets whether Module.to(), its relatives and load_state_dict() give a parameter its new contents by
    utils.swap_tensors(), so that it remains the same object. It has precedence over
    set_overwrite_module_params_on_conversion()."""
    global _swaps
    _swaps = value


def get_swap_module_params_on_conversion() -> bool:
    """Whether it is set; False at first."""
    return _swaps


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """Sets whether Module.to() and its relatives make new parameters instead of setting the data of those
    that are there."""
    global _overwrites
    _overwrites = value


def get_overwrite_module_params_on_conversion() -> bool:
    """Whether it is set; False at first."""
    return _overwrites
