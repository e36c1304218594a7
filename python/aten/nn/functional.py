"""Functions of neural networks. The ones imported here are written in Python with PyTorch's signatures; the
others are compiled, with the signatures of their operators."""

# Names are imported for users; this module's stubs import the same names.
# ruff: noqa: F401
from .. import _C
from ._activations import (
    celu,
    elu,
    glu,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    logsigmoid,
    mish,
    prelu,
    relu,
    relu6,
    rrelu,
    rrelu_,
    selu,
    silu,
    softshrink,
    softsign,
    tanhshrink,
    threshold,
)
from ._attention import multi_head_attention_forward
from ._dropout import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from ._embedding import (
    embedding,
    embedding_bag,
)
from ._grouped_mm import grouped_mm
from ._linear_cross_entropy import linear_cross_entropy
from ._losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    gaussian_nll_loss,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
)
from ._margin_losses import (
    cosine_embedding_loss,
    ctc_loss,
    hinge_embedding_loss,
    margin_ranking_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    soft_margin_loss,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from ._normalization import (
    batch_norm,
    group_norm,
    instance_norm,
    layer_norm,
    local_response_norm,
    normalize,
    rms_norm,
)
from ._pooling import (
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d,
    adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d,
    adaptive_max_pool3d_with_indices,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
    max_pool1d,
    max_pool1d_with_indices,
    max_pool2d,
    max_pool2d_with_indices,
    max_pool3d,
    max_pool3d_with_indices,
)
from ._resampling import (
    affine_grid,
    grid_sample,
    interpolate,
    upsample,
    upsample_bilinear,
    upsample_nearest,
)
from ._softmax import (
    gumbel_softmax,
    log_softmax,
    softmax,
    softmin,
)
from ._unpooling import (
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from ._windows import (
    fold,
    unfold,
)

# Compiled functions that PyTorch has both here and at the top level.
_ALSO_HERE = (
    "adaptive_avg_pool1d",
    "avg_pool1d",
    "bilinear",
    "celu_",
    "channel_shuffle",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_tbc",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "cosine_similarity",
    "native_channel_shuffle",
    "pairwise_distance",
    "pdist",
    "pixel_shuffle",
    "pixel_unshuffle",
    "relu_",
    "selu_",
    "sigmoid",
    "tanh",
    "threshold_",
)

_compiled = {n: f for n, f in vars(_C._VariableFunctions).items() if n in _ALSO_HERE}
if hasattr(_C, "_nn"):
    _compiled.update({n: f for n, f in vars(_C._nn).items() if not n.startswith("_")})
globals().update({n: f for n, f in _compiled.items() if n not in globals()})
