"""typing.get_type_hints() of subclasses, by which packages read the types of their modules' attributes."""

from __future__ import annotations

import typing

import pytest
from aten import nn

MEMBERS = {name: getattr(nn, name) for name in dir(nn)}
NAMES = [n for n, cls in MEMBERS.items() if isinstance(cls, type) and issubclass(cls, nn.Module)]


@pytest.mark.parametrize("name", NAMES)
def test_type_hints_of_a_subclass(name: str) -> None:
    class Own(MEMBERS[name]):  # type: ignore[misc]
        size: int

    assert typing.get_type_hints(Own)["size"] is int
