"""PyTorch's operator database: which entries we have, their samples, and the comparison of one call."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from typing import Any

import aten
import pytest
import torch
from exact import Exact, assert_same_or_exact
from oracle import to_aten, whole_storage
from tensors import CAMPAIGN, TOLERANCES
from thinned import thinned
from ties import untied
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_map_only

DTYPES = (torch.float32, torch.float64, torch.int64, torch.bool, torch.bfloat16, torch.complex64)
QUICK = (torch.float32, torch.int64)
# Samples of five million elements, in batches of twenty: the first BATCH items have the same code run.
LARGE = ("grid_sampler_3d",)
BATCH = 2
# We have the name as well, but PyTorch's function of this name is another one.
OTHER_FUNCTIONS = re.compile(r"^(masked|sparse|linalg|special|signal)\.|^ops\.|^torch\.ops")
RANDOM = frozenset(
    {
        "bernoulli",
        "normal",
        "uniform",
        "cauchy",
        "exponential",
        "geometric",
        "log_normal",
        "multinomial",
        "rand_like",
        "randn",
        "randn_like",
        "randint",
        "randint_like",
        "nn.functional.dropout",
        "nn.functional.rrelu",
        "nn.functional.fractional_max_pool2d",
        "nn.functional.fractional_max_pool3d",
        "nn.functional.dropout2d",
        "nn.functional.dropout3d",
        "nn.functional.alpha_dropout",
        "nn.functional.feature_alpha_dropout",
    }
)
PRODUCTS = frozenset(
    {
        *(f"nn.functional.conv{d}d" for d in (1, 2, 3)),
        *(f"nn.functional.conv_transpose{d}d" for d in (1, 2, 3)),
        "matmul",
        "__rmatmul__",
        "mm",
        "bmm",
        "addmm",
        "dot",
        "baddbmm",
        "addbmm",
        "addmv",
        "addr",
        "mv",
        "vdot",
        "inner",
        "einsum",
        "tensordot",
        "linalg.multi_dot",
        "nn.functional.linear",
        "nn.functional.bilinear",
        "nn.functional.scaled_dot_product_attention",
        "nn.functional.cosine_similarity",
        "nn.functional.pairwise_distance",
        "var",
        "prod",
        "cumsum",
        "sum",
        "mean",
        "nn.functional.layer_norm",
        "native_layer_norm",
        "nn.functional.adaptive_avg_pool3d",
        "nn.functional.batch_norm",
        "native_batch_norm",
        "_native_batch_norm_legit",
        "_batch_norm_with_update",
        "nn.functional.instance_norm",
        "nn.functional.group_norm",
        "native_group_norm",
        "nn.functional.rms_norm",
        "nn.functional.embedding_bag",
        "cdist",
        "stft",
        "istft",
        "scatter_reduce",
        "index_reduce",
    }
)
PRODUCT_TOLERANCES = {
    "float32": (2e-5, 1e-4),
    "complex64": (2e-5, 1e-4),
    "bfloat16": (4e-2, 1e-1),
    "float16": (1e-2, 1e-2),
    "complex32": (1e-2, 1e-2),
}
UNINITIALISED = frozenset(
    {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided", "resize_"}
)


def counterpart(name: str) -> Any:
    """Returns our function of that name: of the package, or a method of Tensor."""
    if OTHER_FUNCTIONS.search(name):
        return None
    place: Any = aten
    for part in name.split("."):
        place = getattr(place, part, None)
    return place if callable(place) else method(name)


# Entries whose arguments are in another order than the function's, or that are for another form of it.
ADAPTERS = {
    "where": lambda self, condition, other, **kw: aten.where(condition, self, other, **kw),
    "nn.functional.embedding": lambda weight, idx, **kw: aten.nn.functional.embedding(idx, weight, **kw),
    "nn.functional.embedding_bag": lambda weight, idx, **kw: aten.nn.functional.embedding_bag(
        idx, weight, **kw
    ),
    "normal.in_place": lambda self, mean, std, **kw: self.clone().normal_(mean, std, **kw),
    "uniform": lambda self, low, high, **kw: self.clone().uniform_(low, high, **kw),
    "resize_": lambda self, *args, **kw: self.clone().resize_(*args, **kw),
    "zero_": lambda self: self.clone().zero_(),
    "einsum": lambda tensors, equation: aten.einsum(equation, tensors),
    "nn.functional.triplet_margin_with_distance_loss": lambda *args, distance_function=None, **kw: (
        aten.nn.functional.triplet_margin_with_distance_loss(*args, **kw)  # PyTorch's default distance
    ),
    "linalg.multi_dot": lambda tensors: aten.linalg.multi_dot(tensors),
    "repeat": lambda self, dims: self.repeat(dims),  # the package's function is the array API's
    "slice": lambda self, *args, **kw: aten.ops.aten.slice.Tensor(self, *args, **kw),
    **{f"polygamma.polygamma_n_{n}": lambda self, n, **kw: aten.polygamma(n, self, **kw) for n in range(5)},
}


def full_name(op: Any) -> str:
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def function(op: Any) -> Any:
    """Returns our function that is called as the entry's."""
    return ADAPTERS.get(full_name(op)) or counterpart(op.name)


def method(name: str) -> Any:
    found = getattr(aten.Tensor, name, None)
    if found is None or callable(found):
        return found
    return lambda t: getattr(t, name)


# Forms that our function rejects: norms of singular values.
REFUSED = frozenset(
    {
        # Their entries are of other functions of factors, or draw random numbers.
        "svd_lowrank",
        "pca_lowrank",
        "nn.functional.multi_head_attention_forward",
    }
)
ENTRIES = [op for op in op_db if function(op) is not None and full_name(op) not in REFUSED]


def marks_of(dtype: Any, short: Iterable[Any], regular: Iterable[Any]) -> list[Any]:
    """Returns the marks of a test with this dtype: those of `short` are in every run, those of `regular` in
    `make test-all`.
    """
    if dtype in short:
        return []
    return [pytest.mark.slow] if dtype in regular else CAMPAIGN


def case_id(op: Any, dtype: Any) -> str:
    return f"{full_name(op)}-{str(dtype).rpartition('.')[2]}"


def both(ours: Any, theirs: Any, sample: Any, what: str, op: Any) -> None:
    """Calls both on copies of the same arguments, and compares results and the arguments after the call."""
    args = (sample.input, *sample.args)
    mine = to_aten(copied((args, sample.kwargs)))
    exact = Exact(theirs, args, sample.kwargs)
    expected = theirs(*args, **sample.kwargs)
    got = ours(*mine[0], **mine[1])
    values = op.name not in RANDOM and op.name not in UNINITIALISED and not sample.kwargs.get("dropout_p")
    got, expected = untied(op.name, got, expected, *mine)
    how = {"values": values, "tolerance": tolerance(op)}
    assert_same_or_exact(got, expected, what, lambda: exact.results, **how)
    after = f"{what}: arguments after the call"
    assert_same_or_exact(mine[0], args, after, lambda: exact.arguments, values=values)


def tolerance(op: Any) -> dict[str, tuple[float, float]]:
    """Returns the tolerances: long sums of products in another order differ by more than a rounding."""
    return PRODUCT_TOLERANCES if op.name in PRODUCTS or op.name.startswith("fft.") else {}


def copied(value: Any, storages: dict[int, Any] | None = None) -> Any:
    """Returns tensors with the same values and strides in their own memory, shared where it was shared."""
    storages = {} if storages is None else storages
    if isinstance(value, torch.Tensor) and value.layout is torch.strided:
        return clone_as_it_lies(value.detach(), storages)
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(copied(v, storages) for v in value)
    if isinstance(value, dict):
        return {k: copied(v, storages) for k, v in value.items()}
    return value


def clone_as_it_lies(t: Any, storages: dict[int, Any]) -> Any:
    if t.is_conj() or t.is_neg() or t.is_meta:
        return t.resolve_conj().resolve_neg().clone()
    whole = whole_storage(t)
    key = whole.data_ptr() or id(t)
    if key not in storages or storages[key].dtype is not t.dtype:
        storages[key] = whole.clone()
    return storages[key].as_strided(t.shape, t.stride(), t.storage_offset())


def samples(op: Any, dtype: Any, requires_grad: bool = False) -> list[Any]:
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(op.sample_inputs("cpu", dtype, requires_grad=requires_grad))
    assert found, "PyTorch has no sample"
    return [narrow(sample) if op.name in LARGE else sample for sample in thinned(found)]


def narrow(sample: Any) -> Any:
    """Returns the sample with the first BATCH items of its tensors."""

    def few(t: torch.Tensor) -> torch.Tensor:
        return t[:BATCH].detach().clone().requires_grad_(t.requires_grad)

    given = tree_map_only(torch.Tensor, few, (sample.input, sample.args, sample.kwargs))
    return type(sample)(given[0], args=given[1], kwargs=given[2])


def describe(sample: Any) -> str:
    return short((sample.input, *sample.args)) + (f", {short(sample.kwargs)}" if sample.kwargs else "")


def short(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        strides = "" if value.is_contiguous() else value.stride()
        return f"{str(value.dtype).rpartition('.')[2]}{list(value.shape)}{strides}"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(short(v) for v in value) + ")"
    if isinstance(value, dict):
        return ", ".join(f"{k}={short(v)}" for k, v in value.items())
    return repr(value)


def same_outcome(
    ours: Any, theirs: Any, exact: Any, compared: Any = lambda *both: both, dtype: Any = None, **how: Any
) -> None:
    """Checks that both return the same, or both raise; ours may do what PyTorch says it lacks."""
    try:
        expected = theirs()
    except Exception as error:
        if re.search("not implemented|[Uu]nsupported dtype", str(error)):
            return
        try:
            got = ours()
        except Exception:
            return
        raise AssertionError(
            f"PyTorch raises {type(error).__name__}: {error}; ours returned {got!r}"[:600]
        ) from None
    assert_same_or_exact(*compared(ours(), expected), "result", exact, dtype, **how)


def as_of(dtype: Any, tolerances: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """Returns tolerances for a wider out=, which holds values computed in the operands' dtype."""
    name = str(dtype).rpartition(".")[2]
    coarse = {**TOLERANCES, **tolerances}.get(name)
    return {**tolerances, **({"float64": coarse, "complex128": coarse} if coarse else {})}


def strided_out(result: Any) -> Any:
    """Returns a tensor of the result's shape, with gaps."""
    if result.dim() == 0:
        return torch.empty_like(result)
    return result.new_zeros((*result.shape[:-1], 2 * result.shape[-1]))[..., ::2]


def empty_out(result: Any) -> Any:
    return result.new_empty((0,))


def longer_out(result: Any) -> Any:
    return torch.empty(result.shape, dtype=torch.complex128 if result.is_complex() else torch.float64)


def has_out(name: str) -> bool:
    own = name.replace(".", "_") if name.startswith("fft.") else name.rpartition(".")[2]
    packet = getattr(aten.ops.aten, own, None)
    return packet is not None and any(
        "out" in o or o in ("values", "values_stable") for o in packet.overloads()
    )
