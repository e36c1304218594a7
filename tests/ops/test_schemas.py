"""Schemas at run time are, letter by letter, those of the operators that PyTorch has under the same names."""

from __future__ import annotations

import aten
import pytest


def overloads() -> list[str]:
    return sorted(n for n in aten._C._operator_names() if n.startswith("aten::"))


def schema_of(name: str) -> str:
    packet, _, overload = name.removeprefix("aten::").partition(".")
    return str(getattr(getattr(aten.ops.aten, packet), overload or "default")._schema)


def test_there_are_operators() -> None:
    assert len(overloads()) > 400


@pytest.mark.parametrize("name", overloads())
def test_schema_is_pytorchs(name: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")
    packet, _, overload = name.partition(".")
    theirs = torch._C._get_schema(packet, overload)
    assert schema_of(name) == str(theirs)
