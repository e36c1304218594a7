"""aten.nn.functional beside torch.nn.functional: the names, and the signatures where Python has them."""

from __future__ import annotations

import inspect
from typing import Any

import aten
import pytest

torch = pytest.importorskip("torch")

# Names in PyTorch's module that are not functions of neural networks.
HELPERS = frozenset(
    {
        "assert_int_or_pair",
        "boolean_dispatch",
        "handle_torch_function",
        "has_torch_function",
        "has_torch_function_unary",
        "has_torch_function_variadic",
    }
)
# Functions that we don't have, and why.
MISSING: dict[str, str] = {
    "scaled_grouped_mm": "there is no 8-bit floating point",
    "scaled_mm": "there is no 8-bit floating point",
}
# Functions whose parameters differ from PyTorch's, and why.
OTHER_SIGNATURE = dict.fromkeys(("sigmoid", "tanh"), "they are the operators, which take out= as well")


def functions_of(module: Any) -> dict[str, Any]:
    found = vars(module)
    return {
        n: f
        for n, f in found.items()
        if not n.startswith("_")
        and n not in HELPERS
        and callable(f)
        and not inspect.isclass(f)
        and n.islower()
    }


THEIRS = functions_of(torch.nn.functional)


def parameters(function: Any) -> list[tuple[str, Any, Any]] | None:
    """Returns names, kinds and defaults; None where only the compiled function has them."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    made = [(p.name, p.kind, plain(p.default)) for p in signature.parameters.values()]
    if any(kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD) for _, kind, _ in made):
        return None
    return made


def plain(default: Any) -> Any:
    return default if default is None or isinstance(default, (bool, int, float, str)) else repr(default)


def test_names() -> None:
    missing = sorted(n for n in THEIRS if not callable(getattr(aten.nn.functional, n, None)))
    assert missing == sorted(MISSING), "MISSING must list exactly the functions that do not exist"


@pytest.mark.parametrize("name", sorted(set(THEIRS) - set(MISSING)))
def test_signature(name: str) -> None:
    theirs, ours = parameters(THEIRS[name]), parameters(getattr(aten.nn.functional, name, None))
    if theirs is None or ours is None:
        pytest.skip("Python doesn't know the parameters")
    if name in OTHER_SIGNATURE:
        assert ours != theirs, "remove it from the list"
        return
    assert [p[0] for p in ours] == [p[0] for p in theirs]
    assert ours == theirs
