"""Schemas at run time equal PyTorch's, character by character, for operators with the same names."""

from __future__ import annotations

import aten
import pytest


def overloads() -> list[str]:
    return sorted(n.removeprefix("aten::") for n in aten._C._operator_names() if n.startswith("aten::"))


def schema_of(name: str) -> str:
    packet, _, overload = name.partition(".")
    return str(getattr(getattr(aten.ops.aten, packet), overload or "default")._schema)


def test_there_are_operators() -> None:
    assert len(overloads()) > 400


def test_schemas_are_pytorchs() -> None:
    """One test checks all schemas, as each takes no time."""
    torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")

    def theirs(name: str) -> str:
        packet, _, overload = name.partition(".")
        try:
            return str(torch._C._get_schema(f"aten::{packet}", overload))
        except RuntimeError as error:
            return f"none: {error}"

    found = [(name, schema_of(name), theirs(name)) for name in overloads()]
    wrong = [f"{name}: {ours}\n    PyTorch: {other}" for name, ours, other in found if ours != other]
    assert not wrong, f"{len(wrong)} of {len(found)} schemas differ:\n" + "\n".join(wrong)
