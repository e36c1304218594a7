"""Every operator that casts on the CPU: dtypes, values and gradients of its results are PyTorch's."""

from __future__ import annotations

from typing import Any

import aten
import numpy as np
import pytest
from autocast_file import casts
from casting_samples import SAMPLES

CPU = casts("CPU")
# Vectors and decompositions are only determined up to signs.
UP_TO_SIGN = {"linalg_eig", "linalg_eigh", "linalg_svd", "svd", "linalg_qr", "qr", "geqrf"}
DTYPES = ("bfloat16", "float16", "float32", "float64")


def tensors(T: Any, value: Any, dtypes: list[str], made: list[Any]) -> Any:
    """The value with arrays as tensors: float32 ones of the next dtype, which require gradients."""
    if isinstance(value, np.ndarray):
        if value.dtype != np.float32:
            return T.tensor(value.tolist(), dtype=getattr(T, str(value.dtype)))
        dtype = dtypes[min(len(made), len(dtypes) - 1)]
        made.append(T.tensor(value.tolist(), dtype=getattr(T, dtype)).requires_grad_())
        return made[-1]
    return [tensors(T, v, dtypes, made) for v in value] if isinstance(value, list) else value


def operator(T: Any, name: str) -> Any:
    base, _, overload = name.partition(".")
    return getattr(getattr(T.ops.aten, base), overload or "default")


def outcome(T: Any, name: str, dtypes: list[str]) -> Any:
    """The results of a call in a region, and the gradients of its inputs; None if it is an error."""
    made: list[Any] = []
    args = [tensors(T, a, dtypes, made) for a in SAMPLES[name]]
    try:
        with T.autocast("cpu"):
            results = operator(T, name)(*args)
    except RuntimeError:
        return None
    results = list(results) if isinstance(results, (list, tuple)) else [results]
    losses = [(r.abs() if r.is_complex() else r).double().sum() for r in results if r.requires_grad]
    gradients: list[Any] = []
    if losses and name not in UP_TO_SIGN:
        try:
            sum(losses).backward()
            gradients = [t.grad for t in made]
        except RuntimeError:
            gradients = ["error"]
    return results, gradients


def array(t: Any) -> Any:
    t = t.detach()
    return np.array((t if not t.is_floating_point() else t.double()).tolist())


def dtype(t: Any) -> str:
    return t if isinstance(t, str) else "None" if t is None else str(t.dtype).rpartition(".")[2]


def check(name: str, dtypes: list[str]) -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = (outcome(T, name, dtypes) for T in (aten, torch))
    assert (ours is None) == (theirs is None), (ours, theirs)
    if theirs is None:
        return
    for mine, other in zip(ours, theirs, strict=True):
        if other == ["error"]:  # PyTorch writes to what linalg_cond's gradient needs
            continue
        assert [dtype(t) for t in mine] == [dtype(t) for t in other]
        for a, b in zip(mine, other, strict=True):
            if b is None or isinstance(b, str):
                continue
            small = CPU[name] != "float32" or any("16" in d for d in dtypes)
            found, expected = array(a), array(b)
            if name in UP_TO_SIGN:
                found, expected = np.abs(found), np.abs(expected)
            np.testing.assert_allclose(
                found, expected, rtol=4e-2 if small else 2e-4, atol=4e-2 if small else 1e-5
            )


@pytest.mark.parametrize("name", sorted(CPU))
def test_each_dtype(name: str) -> None:
    for one in DTYPES:
        check(name, [one])


@pytest.mark.parametrize("name", sorted(CPU))
def test_mixed_dtypes(name: str) -> None:
    check(name, ["bfloat16", "float32"])
    check(name, ["float32", "bfloat16"])


def test_every_operator_has_a_sample() -> None:
    assert set(SAMPLES) == set(CPU)


@pytest.mark.parametrize("name", sorted(n for n, cast in CPU.items() if cast != "promote"))
def test_results_are_those_of_inputs_cast_by_hand(name: str) -> None:
    """Without PyTorch: the same kernels run on inputs that were cast before."""
    to = {"lower_precision": "bfloat16", "float32": "float32"}[CPU[name]]
    args = [tensors(aten, a, ["float32"], []) for a in SAMPLES[name]]
    by_hand = [
        a.to(getattr(aten, to)) if isinstance(a, aten.Tensor) and a.is_floating_point() else a for a in args
    ]
    with aten.no_grad(), aten.autocast("cpu"):
        found = operator(aten, name)(*args)
    with aten.no_grad():
        expected = operator(aten, name)(*by_hand)
    if isinstance(found, aten.Tensor):
        found, expected = [found], [expected]
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype and a.tolist() == b.tolist()
