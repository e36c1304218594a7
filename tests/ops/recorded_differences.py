"""Recorded calls that are known to differ: aspects and overload (patterns), what is said then, and why."""

from __future__ import annotations

import re
from typing import NamedTuple


class Difference(NamedTuple):
    aspects: str
    overloads: str
    says: str
    why: str
    dtypes: str = ".*"


LAYOUT = "the same values lie otherwise in memory"
NO_META = "it has no Meta kernel"
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
        "values|forms",
        r"native_dropout(\.out)?",
        "result 0 is not argument 0|argument 'out': expected dtype Bool",
        "PyTorch returns an argument without elements itself, with a mask of its type",
    ),
    Difference(
        "values|forms", "_ctc_loss.*", r"result\[1\]", "PyTorch leaves what no path reaches unwritten"
    ),
    Difference(
        "values|forms", r"fft_ihfft[2n](\.out)?", "values differ", "PyTorch leaves its out= unwritten"
    ),
    Difference("values|forms", r"binary_cross_entropy(\.out)?", BCE_SAYS, "PyTorch's out= is no mean"),
    Difference(
        "gradients", "as_strided_scatter", "values differ", "PyTorch keeps the gradient of what was replaced"
    ),
    Difference(
        "values|forms", "grid_sampler_3d_backward.*", "values differ", "long sums in another order", "float32"
    ),
    *(
        Difference("values", overloads, "strides", LAYOUT)
        for overloads in (
            r"(nan)?quantile(\.scalar)?",
            r"conv1d\.padding|conv2d|conv_transpose2d\.input",
            "_?upsample_nearest(_exact)?3d_backward",
            "_trilinear",
        )
    ),
    *(
        Difference("meta", overloads, "no kernel for dispatch key Meta", NO_META)
        for overloads in (
            "(nan)?median",
            "tri[lu]_indices",
            r"repeat_interleave\..*",
            "masked_scatter_backward",
        )
    ),
    Difference("gradients", "embedding_bag.*", "sparse gradients", "there are no sparse tensors"),
    Difference(
        "gradients",
        "pairwise_distance",
        "0 results with gradients",
        "a count has no gradient; PyTorch's is 0",
    ),
    Difference("values|forms", "addbmm_?", "can.t hold|cannot grow", "PyTorch resizes self"),
    Difference(
        "values|forms",
        r"addr(_|\.out)?",
        "dtype int64|Long can't be cast",
        "factors of bools that are no bools",
    ),
    Difference(
        "values|forms", r"_cdist_backward(\.out)?", "shape", "batches of size 0 are kept in the gradient"
    ),
    *(
        Difference("errors", operator, "ours (Runtime|Value)Error", "an error of another kind")
        for operator in ("arange", "rot90", ".*adaptive_(avg|max)_pool[23]d")
    ),
    *(
        Difference("errors", operator, "ours ", "what PyTorch refuses is broadcast, or taken as a batch")
        for operator in (".*margin_ranking_loss", ".*triplet_margin.*", ".*max_pool[13]d.*")
    ),
)


def known(aspect: str, overload: str, dtype: str, error: BaseException) -> str | None:
    """Why a call of an overload may differ so."""
    return next((d.why for d in DIFFERENCES if fits(d, aspect, overload, dtype, str(error))), None)


def fits(d: Difference, aspect: str, overload: str, dtype: str, error: str) -> bool:
    pairs = ((d.aspects, aspect), (d.overloads, overload), (d.dtypes, dtype))
    return all(re.fullmatch(pattern, text) for pattern, text in pairs) and bool(re.search(d.says, error))
