"""Recorded calls that are known to differ: aspects and overload (patterns), the error message, and why."""

from __future__ import annotations

import re
from typing import NamedTuple


class Difference(NamedTuple):
    aspects: str
    overloads: str
    says: str
    why: str
    dtypes: str = ".*"


CONJUGATE = "conjugates are computed: no bit of a view says so"
BCE_SAYS = "values differ|PyTorch raises output with shape"
DIFFERENCES = (
    Difference("values", "_?conj", "does not share memory", CONJUGATE),
    Difference(
        "values|forms",
        r"masked_fill_?\..*",
        "single memory location",
        "to write where several elements lie at one place is an error; PyTorch warns",
    ),
    Difference(
        "values|forms", "_ctc_loss.*", r"result\[1\]", "PyTorch leaves what no path reaches unwritten"
    ),
    Difference("values|forms", r"binary_cross_entropy(\.out)?", BCE_SAYS, "PyTorch's out= is no mean"),
    Difference(
        "gradients", "as_strided_scatter", "values differ", "PyTorch keeps the gradient of what was replaced"
    ),
    Difference(
        "values",
        r"conv1d\.padding|conv2d|conv_transpose2d\.input",
        "strides",
        "PyTorch's depthwise results have the layout of the kernel that it chose",
    ),
    Difference(
        "values",
        r"polygamma(\.out)?",
        "values differ",
        "at the poles PyTorch's float32 is a large number, not infinity",
        "int8|int16",
    ),
    Difference(
        "values",
        r"soft_margin_loss_backward(\.grad_input)?",
        r"expected .*nan",
        "PyTorch divides infinity by itself",
        "float16",
    ),
    Difference(
        "values|forms",
        r"linalg_matrix_exp(\.out)?",
        r"expected .*nan",
        "PyTorch's powers overflow in float16 on some processors",
        "float16",
    ),
    Difference("errors", "narrow_copy", "Dimension out of range", "an IndexError, as of all other operators"),
    Difference("values", "lift_fresh", "is not argument", "ours is a view, which autograd tells from self"),
    Difference(
        "values|forms",
        r"special_bessel_(j0|y1)(\.out)?",
        "values differ",
        "PyTorch's expansions beyond 5 have six digits",
        "float64",
    ),
    Difference("values", "signbit", "not implemented", "computed as int64, which has a sign", "uint64"),
    Difference("gradients", "embedding_bag.*", "sparse gradients", "there are no sparse tensors"),
    Difference(
        "meta",
        "tensor_split.tensor_indices_or_sections",
        "to be on cpu",
        "where to split is read from memory, which Meta has not",
    ),
    Difference("values|forms", "addbmm_?", "can.t hold|cannot grow", "PyTorch resizes self"),
    Difference(
        "values|forms", r"_cdist_backward(\.out)?", "shape", "batches of size 0 are kept in the gradient"
    ),
)


def known(aspect: str, overload: str, dtype: str, error: BaseException) -> str | None:
    """Returns why a call of an overload may fail with this error."""
    return next((d.why for d in DIFFERENCES if fits(d, aspect, overload, dtype, str(error))), None)


def fits(d: Difference, aspect: str, overload: str, dtype: str, error: str) -> bool:
    pairs = ((d.aspects, aspect), (d.overloads, overload), (d.dtypes, dtype))
    return all(re.fullmatch(pattern, text) for pattern, text in pairs) and bool(re.search(d.says, error))
