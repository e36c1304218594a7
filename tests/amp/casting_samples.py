"""Arguments for each operator that casts on the CPU: float32 arrays are inputs, others stay as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

_RANDOM = np.random.default_rng(3)


def normal(*shape: int) -> np.ndarray[Any, Any]:
    return _RANDOM.standard_normal(shape).astype(np.float32)


def uniform(*shape: int) -> np.ndarray[Any, Any]:
    """Values in (0.1, 0.9)."""
    return _RANDOM.uniform(0.1, 0.9, shape).astype(np.float32)


def definite(n: int = 3) -> np.ndarray[Any, Any]:
    """A symmetric matrix with eigenvalues 1, 2, ... n, whose vectors are well determined."""
    vectors = np.linalg.qr(_RANDOM.standard_normal((n, n)))[0]
    return (vectors @ np.diag(np.arange(1.0, n + 1)) @ vectors.T).astype(np.float32)


def lower(n: int = 3) -> np.ndarray[Any, Any]:
    return np.linalg.cholesky(definite(n)).astype(np.float32)


def index(*values: int) -> np.ndarray[Any, Any]:
    return np.array(values, dtype=np.int64)


def signs(*shape: int) -> np.ndarray[Any, Any]:
    return np.sign(normal(*shape)).astype(np.float32)


Sample = tuple[Any, ...]
_CONVOLUTIONS: dict[str, Sample] = {
    "_convolution.deprecated": (
        *(normal(1, 2, 5), normal(3, 2, 2), normal(3)),
        *([1], [0], [1], False, [0], 1, False, False, True),
    ),
    "conv1d": (normal(1, 2, 5), normal(3, 2, 2), normal(3)),
    "conv1d.padding": (normal(1, 2, 5), normal(3, 2, 3), normal(3), [1], "same"),
    "conv2d": (normal(1, 2, 4, 4), normal(3, 2, 2, 2), normal(3)),
    "conv2d.padding": (normal(1, 2, 4, 4), normal(3, 2, 3, 3), normal(3), [1, 1], "same"),
    "conv3d": (normal(1, 2, 3, 3, 3), normal(2, 2, 2, 2, 2), normal(2)),
    "conv3d.padding": (normal(1, 2, 3, 3, 3), normal(2, 2, 3, 3, 3), normal(2), [1, 1, 1], "same"),
    "conv_tbc": (normal(4, 2, 3), normal(2, 3, 2), normal(2)),
    "conv_transpose1d": (normal(1, 2, 4), normal(2, 3, 2), normal(3)),
    "conv_transpose2d.input": (normal(1, 2, 3, 3), normal(2, 3, 2, 2), normal(3)),
    "conv_transpose3d.input": (normal(1, 2, 2, 2, 2), normal(2, 2, 2, 2, 2), normal(2)),
}
_PRODUCTS: dict[str, Sample] = {
    "_addmm_activation": (normal(3), normal(2, 4), normal(4, 3)),
    "addbmm": (normal(2, 3), normal(2, 2, 4), normal(2, 4, 3)),
    "addmm": (normal(2, 3), normal(2, 4), normal(4, 3)),
    "baddbmm": (normal(2, 2, 3), normal(2, 2, 4), normal(2, 4, 3)),
    "bmm": (normal(2, 2, 4), normal(2, 4, 3)),
    "linalg_vecdot": (normal(2, 4), normal(2, 4)),
    "linear": (normal(2, 4), normal(3, 4), normal(3)),
    "matmul": (normal(2, 3, 4), normal(4, 3)),
    "mm": (normal(2, 4), normal(4, 3)),
    "prelu": (normal(2, 3), uniform(3)),
    "scaled_dot_product_attention": (normal(1, 2, 4, 8), normal(1, 2, 4, 8), normal(1, 2, 4, 8)),
}
_LOSSES: dict[str, Sample] = {
    "binary_cross_entropy": (uniform(3, 2), uniform(3, 2)),
    "binary_cross_entropy_with_logits": (normal(3, 2), uniform(3, 2)),
    "cdist": (normal(3, 4), normal(2, 4)),
    "cosine_embedding_loss": (normal(3, 4), normal(3, 4), index(1, -1, 1)),
    "cross_entropy_loss": (normal(3, 4), index(0, 3, 1)),
    "ctc_loss.IntList": (np.log(uniform(6, 2, 4)), index(1, 2, 1, 3).reshape(2, 2), [6, 6], [2, 2]),
    "ctc_loss.Tensor": (np.log(uniform(6, 2, 4)), index(1, 2, 1, 3).reshape(2, 2), index(6, 6), index(2, 2)),
    "hinge_embedding_loss": (normal(3, 2), signs(3, 2)),
    "huber_loss": (normal(3, 2), normal(3, 2)),
    "kl_div": (np.log(uniform(3, 2)), uniform(3, 2)),
    "l1_loss": (normal(3, 2), normal(3, 2)),
    "margin_ranking_loss": (normal(3), normal(3), signs(3)),
    "mse_loss": (normal(3, 2), normal(3, 2)),
    "multi_margin_loss": (normal(3, 4), index(0, 3, 1)),
    "multilabel_margin_loss": (normal(2, 3), index(0, 2, -1, 1, -1, 0).reshape(2, 3)),
    "multilabel_margin_loss_forward": (normal(2, 3), index(0, 2, -1, 1, -1, 0).reshape(2, 3), 1),
    "nll_loss": (normal(3, 4), index(0, 3, 1)),
    "nll_loss2d": (normal(1, 3, 2, 2), index(0, 2, 1, 1).reshape(1, 2, 2)),
    "poisson_nll_loss": (normal(3, 2), uniform(3, 2), True, False, 1e-8, 1),
    "smooth_l1_loss": (normal(3, 2), normal(3, 2)),
    "soft_margin_loss": (normal(3, 2), signs(3, 2)),
    "triplet_margin_loss": (normal(3, 4), normal(3, 4), normal(3, 4)),
}
_WINDOWS: dict[str, Sample] = {
    "adaptive_avg_pool3d": (normal(1, 2, 4, 4, 4), [2, 2, 2]),
    "adaptive_max_pool3d": (normal(1, 2, 4, 4, 4), [2, 2, 2]),
    "avg_pool3d": (normal(1, 2, 4, 4, 4), [2, 2, 2]),
    "fractional_max_pool2d": (normal(1, 2, 5, 5), [2, 2], [2, 2], uniform(1, 2, 2)),
    "fractional_max_pool3d": (normal(1, 2, 5, 5, 5), [2, 2, 2], [2, 2, 2], uniform(1, 2, 3)),
    "grid_sampler": (normal(1, 2, 3, 3), uniform(1, 2, 2, 2), 0, 0, False),
    "grid_sampler_2d": (normal(1, 2, 3, 3), uniform(1, 2, 2, 2), 0, 0, False),
    "grid_sampler_3d": (normal(1, 2, 3, 3, 3), uniform(1, 2, 2, 2, 3), 0, 0, False),
    "max_pool3d": (normal(1, 2, 4, 4, 4), [2, 2, 2]),
    "max_unpool2d": (normal(1, 1, 2, 2), index(0, 3, 8, 11).reshape(1, 1, 2, 2), [4, 4]),
    "max_unpool3d": (
        *(normal(1, 1, 1, 2, 2), index(0, 3, 8, 11).reshape(1, 1, 1, 2, 2)),
        *([2, 4, 4], [2, 2, 2], [0, 0, 0]),
    ),
    "reflection_pad1d": (normal(1, 2, 4), [1, 2]),
    "reflection_pad2d": (normal(1, 2, 4, 4), [1, 2, 0, 1]),
    "replication_pad1d": (normal(1, 2, 4), [1, 2]),
    "replication_pad2d": (normal(1, 2, 4, 4), [1, 2, 0, 1]),
    "replication_pad3d": (normal(1, 2, 2, 3, 3), [1, 2, 0, 1, 1, 1]),
}
_MATRICES: dict[str, Sample] = {
    "_lu_with_info": (definite(),),
    "cholesky": (definite(),),
    "cholesky_inverse": (lower(),),
    "cholesky_solve": (normal(3, 2), lower()),
    "geqrf": (normal(4, 3),),
    "inverse": (definite(),),
    "linalg_cholesky": (definite(),),
    "linalg_cholesky_ex": (definite(),),
    "linalg_cond": (definite(),),
    "linalg_cond.p_str": (definite(), "fro"),
    "linalg_eig": (definite(),),
    "linalg_eigh": (definite(),),
    "linalg_eigvals": (definite(),),
    "linalg_eigvalsh": (definite(),),
    "linalg_householder_product": (normal(4, 3), uniform(3)),
    "linalg_inv": (definite(),),
    "linalg_inv_ex": (definite(),),
    "linalg_lstsq": (normal(4, 3), normal(4, 2)),
    "linalg_matrix_rank": (definite(), 0.1),
    "linalg_matrix_rank.atol_rtol_float": (definite(),),
    "linalg_matrix_rank.atol_rtol_tensor": (definite(),),
    "linalg_matrix_rank.tol_tensor": (definite(), uniform(1)[0:1].reshape(())),
    "linalg_qr": (normal(4, 3),),
    "linalg_solve": (definite(), normal(3, 2)),
    "linalg_svd": (normal(4, 3),),
    "linalg_svdvals": (normal(4, 3),),
    "linalg_tensorinv": (definite(4).reshape(2, 2, 4),),
    "linalg_tensorsolve": (definite(4).reshape(2, 2, 4), normal(2, 2)),
    "lu_solve": (normal(3, 2), definite(), np.array([1, 2, 3], dtype=np.int32)),
    "orgqr": (normal(4, 3), uniform(3)),
    "ormqr": (normal(4, 3), uniform(3), normal(4, 2)),
    "pinverse": (normal(4, 3),),
    "qr": (normal(4, 3),),
    "svd": (normal(4, 3),),
    "triangular_solve": (normal(3, 2), definite()),
    "trace": (normal(3, 3),),
}
_OTHERS: dict[str, Sample] = {
    **{f"fft_{name}": (normal(4, 4),) for name in ("fft", "ihfft", "rfft", "ifft", "hfft", "irfft")},
    **{f"fft_{name}{n}": (normal(4, 4),) for name in ("fft", "ifft", "rfft", "irfft") for n in ("2", "n")},
    "cat": ([normal(2, 3), normal(1, 3)],),
    "index_copy": (normal(3, 2), 0, index(2, 0), normal(2, 2)),
    "nanquantile": (normal(3, 4), uniform(2)),
    "nanquantile.scalar": (normal(3, 4), 0.3),
    "polar": (uniform(3), uniform(3)),
    "prod": (normal(3, 2),),
    "prod.dim_int": (normal(3, 2), 1),
    "quantile": (normal(3, 4), uniform(2)),
    "quantile.scalar": (normal(3, 4), 0.3),
    "stack": ([normal(2, 3), normal(2, 3)],),
    "stft": (normal(32), 8, None, None, uniform(8), False, True, True),
    "stft.center": (normal(32), 8, None, None, uniform(8), True, "reflect", False, True, True),
    "view_as_complex": (normal(3, 2),),
}
SAMPLES = {**_CONVOLUTIONS, **_PRODUCTS, **_LOSSES, **_WINDOWS, **_MATRICES, **_OTHERS}
