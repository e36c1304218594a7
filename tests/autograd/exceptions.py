"""Gradients that are not compared, with reasons."""

from __future__ import annotations

import re

import declared

# Composites whose results have no derivative: they are boolean, integral, or only return a tensor as it is.
NO_DERIVATIVE: dict[str, str] = {
    "one_hot": "integral",
    "isclose": "boolean",
    "isfinite": "boolean",
    "linalg_ldl_factor": "made of linalg_ldl_factor_ex, which has none; PyTorch's has none either",
    "where": "integral: the condition's nonzero places",
    **{
        f"linalg_matrix_rank{form}": "integral"
        for form in ("", ".tol_tensor", ".atol_rtol_tensor", ".atol_rtol_float")
    },
    "where.Scalar": "has numbers for what would get a gradient",
}

# Operators that derivatives.yaml does not mention.
NO_FORMULA: dict[str, str] = {
    "resize_": "refuses tensors that require gradients",
    "resize": "refuses tensors that require gradients",
    "_embedding_bag_forward_only": "called where nothing is differentiated; PyTorch has none either",
    "_embedding_bag_per_sample_weights_backward": "PyTorch has none either",
    "_fused_rms_norm_backward": "called where its result is not differentiated; PyTorch has none either",
    "native_group_norm_backward": "called where its result is not differentiated; PyTorch has none either",
    "_cholesky_solve_helper": "called where nothing is differentiated; PyTorch has none either",
    "_addmm_activation": "called where nothing is differentiated; PyTorch has none either",
    **dict.fromkeys(("linalg_ldl_factor_ex", "linalg_ldl_solve"), "PyTorch has none either"),
    "_weight_norm_interface_backward": "its like is called where it is differentiated, as in PyTorch",
    **dict.fromkeys(
        """bincount bucketize.Scalar bucketize.Tensor isin.Scalar_Tensor isin.Tensor_Scalar isin.Tensor_Tensor
        nonzero_static searchsorted.Scalar searchsorted.Tensor""".split(),
        "integral or boolean",
    ),
    **dict.fromkeys(
        """set set.source_Storage set.source_Storage_storage_offset set.source_Tensor set_ set_.source_Storage
        set_.source_Storage_storage_offset set_.source_Tensor resize_as resize_as_ _resize_output
        _resize_output_""".split(),
        "takes other memory; PyTorch has none either",
    ),
    **dict.fromkeys(
        """_chunk_cat _dirichlet_grad _histogramdd_bin_edges _histogramdd_from_bin_cts binomial _stack
        _histogramdd_from_bin_tensors _linalg_eigvals _masked_softmax_backward _sample_dirichlet
        histogram.bin_ct histogram.bins_tensor linspace.Scalar_Tensor linspace.Tensor_Scalar
        linspace.Tensor_Tensor logspace.Scalar_Tensor logspace.Tensor_Scalar
        logspace.Tensor_Tensor""".split(),
        "PyTorch has none either",
    ),
    "batch_norm_update_stats": "moves running statistics; PyTorch has none either",
    **{
        f"{name}.{how}": "superseded by scatter_reduce; PyTorch has none either"
        for name in ("scatter", "scatter_")
        for how in ("reduce", "value_reduce")
    },
    **dict.fromkeys(
        (
            "_ctc_loss_backward",
            "_ctc_loss_backward.Tensor",
            "_scaled_dot_product_efficient_attention_backward",
            "_scaled_dot_product_flash_attention_backward",
            "_scaled_dot_product_flash_attention_for_cpu_backward",
            "_segment_reduce_backward",
            "multi_margin_loss_backward",
            "multilabel_margin_loss_backward",
        ),
        "no second derivative; PyTorch has none either",
    ),
    **{
        f"{name}{form}": "of integers; PyTorch has none either"
        for names, forms in (
            ("__lshift__ __rshift__ __ilshift__ __irshift__", ".Scalar .Tensor"),
            ("bitwise_left_shift bitwise_right_shift", ".Scalar_Tensor .Tensor .Tensor_Scalar"),
            ("bitwise_left_shift_ bitwise_right_shift_", ".Tensor .Tensor_Scalar"),
            ("repeat_interleave", ".Tensor"),
        )
        for name in names.split()
        for form in forms.split()
    },
    **dict.fromkeys(
        "gcd gcd_ lcm lcm_ heaviside heaviside_ _aminmax _aminmax.dim _logcumsumexp linalg__powsum".split(),
        "PyTorch has none either",
    ),
    **dict.fromkeys(
        (
            *("_foreach_addcdiv.Tensor", "_foreach_addcmul.Tensor", "_foreach_powsum.Scalar"),
            *(
                f"_fused_{name}{lr}"
                for name in ("adam", "adamw", "sgd", "adagrad")
                for lr in ("", ".tensor_lr")
            ),
            *("_amp_update_scale", "_amp_update_scale_", "_amp_foreach_non_finite_check_and_unscale"),
        ),
        "PyTorch has none either",
    ),
    "_foreach_zero": "its in-place form has; PyTorch's has none either",
    "_int_mm": "of integers; PyTorch has none either",
    **dict.fromkeys(
        ("mm.dtype", "bmm.dtype", "addmm.dtype", "baddbmm.dtype"),
        "PyTorch has none either, and it only on CUDA",
    ),
    **dict.fromkeys(("glu_jvp", "glu_backward_jvp"), "tangents of tangents; PyTorch has none either"),
    **dict.fromkeys(
        ("_functional_assert_async.msg", "_functional_assert_scalar"),
        "returns a token that orders assertions",
    ),
}

# Composites that read values, because these decide what they return.
READS_VALUES: dict[str, str] = {
    "item": "returns the value",
    "is_nonzero": "returns the value",
    "narrow.Tensor": "the value of start is where it begins",
    "one_hot": "the largest value is how many classes there are",
    **dict.fromkeys(
        ("_reshape_from_tensor", "tensor_split.tensor_indices_or_sections"), "the values are sizes of views"
    ),
    "cov": "weights must not be negative",
    "ctc_loss.Tensor": "lengths are numbers",
    **dict.fromkeys(
        ("quantile", "quantile.scalar", "nanquantile", "nanquantile.scalar"), "q must lie between 0 and 1"
    ),
    **dict.fromkeys(("cumprod", "cumprod_", "cumprod_backward"), "whether a factor is zero"),
    **dict.fromkeys(
        (
            "lstm.data",
            "gru.data",
            "rnn_tanh.data",
            "rnn_relu.data",
            "_pad_packed_sequence",
            "_pack_padded_sequence_backward",
        ),
        "the sizes of the steps' batches are sizes of views",
    ),
}

# (test, overload, dtype): why the comparison fails; a listed test must fail.
ZERO = "the formula says zero: PyTorch gives random numbers no derivative"
OTHER_NUMBERS = "both draw random numbers, but not the same"
IN_PLACE = "PyTorch leaves a tensor the derivative it had before a logical operator wrote to it"
REAL_TANGENT = "PyTorch's tangent of a complex result is real"
FORWARD_RESULTS = "is given what forward computed of self, through which its derivative goes, too"
OTHER_SIZE = "its samples have other sizes than self, for which no gradient is defined"
SCALED = "PyTorch's derivative of it forgets scale_grad_by_freq"
ONCE = "has a first derivative backward only, as in PyTorch"
CONJUGATE = "PyTorch's is not what finite differences give"
SECOND_NAME = "a second name: its rows are in float32, the first name's in all types"
# Overloads without a sample row in float64, by pattern, with the tests that cover them.
# Composites that change sizes and strides of self, of which a wrapper has its own.
CHANGES_ITSELF = frozenset({"swapaxes_", "swapdims_", "set_.source_Tensor_storage_offset"})
QUERIES = "tests/ops/subjects/test_queries.py"
ELSEWHERE: dict[str, str] = {
    r"(special|absolute|arc|clip|divide|true_divide|multiply|negative|fix|subtract)\w*(\..*)?": SECOND_NAME,
    r"(not_equal|greater|less)\w*(\..*)?": SECOND_NAME,
    r"__\w+__\..*|one_hot|sym_.*": "of integers, or gives numbers",
    r"(lstm|gru|rnn)_?.*|_pack_padded_sequence.*|_pad_packed_sequence": "tests/ops/subjects/test_rnn.py",
    r"_?ctc_loss.*": "tests/ops/subjects/test_ctc_loss.py",
    r"i?stft.*": "tests/ops/subjects/test_stft.py",
    r"_batch_norm_impl_index.*": "a level between batch_norm and its kernel: batch_norm's rows go through it",
    r"_embedding_bag_sparse_backward": "says that there are no sparse tensors",
    r"_scaled_dot_product_(flash|efficient)_attention": "has kernels on CUDA alone",
    r"(reflection|replication)_pad3d_backward|polygamma_": "rows of its like: other dimensions, out of place",
    r"rrelu_with_noise_functional": "rrelu's rows go through it",
    r"is_\w+|numel|dim|(size|stride)\.int|storage_offset|get_device|is_contiguous\..*": QUERIES,
    r"_is_zerotensor": QUERIES,
    r"result_type\..*|_debug_has_internal_overlap|chalf|pin_memory": QUERIES,
    r"_shape_as_tensor|_dim_arange": "gives integers",
    r"_pin_memory": QUERIES,
    r"_grouped_mm": "has no float64",
    r"histogramdd.*": "tests/ops/subjects/test_counts.py",
}


def is_elsewhere(overload: str) -> bool:
    """Whether another test covers the overload. A second name is only covered if it is a composite: an
    operator with its own kernels needs rows of its own.
    """
    reasons = {why for pattern, why in ELSEWHERE.items() if re.fullmatch(pattern, overload)}
    return bool(reasons) and (reasons != {SECOND_NAME} or overload in declared.composites())


NO_FORMULA_EITHER = "the derivatives file says that there is no formula, as PyTorch's does"
RUNNING = "running statistics have no derivative: ours refuses their tangents, PyTorch's ignores them"
NO_SECOND = "its gradient has no derivative; PyTorch's has none either"
NO_TANGENT = "there is no forward formula; PyTorch has none either"
NEVER_SCALED = "PyTorch's backward kernel takes no notice of scales where a size stays or doubles"
ONE_TRIANGLE = "it reads one triangle of a Hermitian matrix; the gradient, as PyTorch's, is that of the whole"
OVERWRITTEN = "PyTorch gives self the gradient of what was overwritten"
REASONS: dict[tuple[str, str, str], str] = {
    (
        "finite differences",
        "(_scaled_dot_product_flash_attention_for_cpu|scaled_dot_product_attention|multi_margin_loss"
        "|multilabel_margin_loss(_forward)?)",
        "float64",
    ): NO_SECOND,
    (
        "forward differences",
        "(scaled_dot_product_attention|multilabel_margin_loss|grid_sampler)",
        "float64",
    ): NO_TANGENT,
    (
        "forward",
        "nll_loss2d(_forward|_backward)?|nll_loss(_nd|_forward)?|cross_entropy_loss",
        "float64",
    ): "weights and gradients have no forward formula: ours refuses their tangents, PyTorch's ignores them",
    ("finite differences", "nll_loss2d_backward", "float64"): (
        "divides by the sum of the targets' weights, not by the total_weight of the samples"
    ),
    (
        "finite differences",
        r"_foreach_(add|mul|div)\.Tensor",
        ".*",
    ): "tensors of several shapes give the number among them no gradient; PyTorch raises an error, too",
    ("forward", r"_foreach_(maximum|minimum)\.Scalar(List)?", ".*"): "PyTorch's tangent adds the scalar",
    (".*differences", "_?linalg_eigh|linalg_eigvalsh", ".*"): (
        "reads one triangle, and its gradient is that of a Hermitian matrix, as in PyTorch"
    ),
    (
        "pytorch",
        "_weight_norm(_interface)?",
        ".*",
    ): "PyTorch's second derivative takes the norms for constants",
    ("pytorch", r"std(_mean)?(\.dim)?", ".*"): "PyTorch's second derivative is NaN where the deviation is 0",
    ("pytorch|forward", r"(alpha|feature|feature_alpha)_dropout_?", "float64"): OTHER_NUMBERS,
    ("pytorch|forward", "rrelu", "float64"): OTHER_NUMBERS,
    ("pytorch", "rrelu_", "float64"): OTHER_NUMBERS,
    ("finite differences", "rrelu_with_noise_", "float64"): "writes its noise, a leaf",
    ("forward", "rrelu_with_noise_backward", "float64"): (
        "ours refuses a tangent of the noise, PyTorch's ignores it"
    ),
    (".*differences", "native_channel_shuffle", ".*"): (
        "its CPU kernel hides the composite, and it has no formula; PyTorch has none either"
    ),
    (".*differences", "(nan)?quantile", "float64"): "moves q out of [0, 1]",
    ("pytorch", "as_strided_scatter", ".*"): OVERWRITTEN,
    ("pytorch", "upsample_nearest(1d|1d_backward|3d)", "float64"): NEVER_SCALED,
    ("forward", "upsample_nearest1d_backward", "float64"): NEVER_SCALED,
    ("pytorch|forward", "_convolution_double_backward", "float64"): (
        "PyTorch returns undefined gradients of a batch of no images"
    ),
    ("finite differences", r"embedding_renorm_?|_embedding_bag.*|embedding_bag.*", "float64"): (
        NO_FORMULA_EITHER
    ),
    ("forward differences", r"embedding_bag.*", "float64"): NO_FORMULA_EITHER,
    ("finite differences", "(native_)?batch_norm_backward", "float64"): FORWARD_RESULTS,
    (
        "forward",
        "(native_)?batch_norm(_backward)?|instance_norm|_(native_)?batch_norm_(legit|with_update)_functional",
        "float64",
    ): RUNNING,
    ("finite differences|forward differences", "log_sigmoid_backward", "float64"): FORWARD_RESULTS,
    ("finite differences|forward differences", "native_layer_norm_backward", "float64"): FORWARD_RESULTS,
    ("finite differences", "_reshape_alias(_copy)?", ".*"): OTHER_SIZE,
    ("finite differences", "_masked_softmax", "float64"): NO_FORMULA_EITHER,
    ("finite differences", r"igammac?_?|special_gammaincc?|special_zeta(\.other_scalar)?", "float64"): (
        NO_FORMULA_EITHER
    ),
    ("finite differences", "_standard_gamma", "float64"): (
        "its derivative is that at a fixed probability, not that of the path from the same uniform numbers"
    ),
    ("forward differences", "view_copy", ".*"): "the tangent is a view, as PyTorch's, where strides allow it",
    (
        ".*differences",
        r"set_\.source_Tensor_storage_offset",
        ".*",
    ): "replaces the tensor: nothing is differentiated",
    ("pytorch", "embedding(_dense)?_backward", "float64"): SCALED,
    ("pytorch", "silu_", "complex128"): CONJUGATE,
    ("forward", "silu_?", "complex128"): CONJUGATE,
    ("forward", "cholesky_inverse|triangular_solve", ".*"): CONJUGATE,
    ("forward", "logsumexp", ".*"): "PyTorch's tangent of the logarithm of an empty sum is NaN",
    ("pytorch|forward", r"(native_)?dropout_?", "float64"): OTHER_NUMBERS,
    (".*differences", "mode", "float64"): "what is moved a little is frequent no more",
    ("forward", "fractional_max_pool[23]d", "float64"): "a tangent of the random numbers is refused",
    ("pytorch|forward", r"logical_\w+_", ".*"): IN_PLACE,
    ("forward", r"(add|sub)\.Scalar", "float64"): REAL_TANGENT,
    ("finite differences|forward differences", r"normal\.(Tensor|float)_.*", "float64"): ZERO,
    ("finite differences", r"_?(cdist|pdist)(_forward|_backward)?", "float64"): ONCE,
    ("forward differences", "[cp]dist", "float64"): ONCE,
    (".*differences", "(linalg_)?cholesky(_ex|_solve|_inverse)?", ".*"): ONE_TRIANGLE,
    ("finite differences", "geqrf", ".*"): NO_FORMULA_EITHER,
    (
        "finite differences",
        "_unique2?|unique_(dim|consecutive|dim_consecutive)",
        "float64",
    ): NO_FORMULA_EITHER,
    ("finite differences", "segment_reduce", "float64"): NO_SECOND,
    (".*differences", "linalg_qr", ".*"): "of 'r' alone there is no derivative, as in PyTorch",
    ("forward differences", "geqrf|ormqr", ".*"): NO_TANGENT,
    ("forward differences", "special_gammaincc?", "float64"): NO_TANGENT,
    ("forward differences", "triangular_solve", ".*"): (
        "the tangent of the copied matrix lacks the batch of the other operand, as PyTorch's"
    ),
}


# What fails when PyTorch takes this library's place.
CONTROL: dict[tuple[str, str, str], str] = {
    (".*differences", "(linalg_)?cholesky(_ex|_solve|_inverse)?", ".*"): ONE_TRIANGLE,
    (".*differences", "silu_?", "complex128"): CONJUGATE,
    (".*differences", "embedding(_dense)?_backward", "float64"): SCALED,
    (".*differences", r"logical_\w+_", ".*"): IN_PLACE,
    ("forward differences", r"(add|sub)\.Scalar", "float64"): REAL_TANGENT,
}

# (form, "name-dtype" of an entry of PyTorch's operator database): why the gradients differ.
OPINFO: dict[tuple[str, str], str] = {
    (
        "function",
        r"nn\.functional\.((alpha_)?dropout|dropout2d|rrelu|fractional_max_pool[23]d"
        r"|scaled_dot_product_attention)-float64",
    ): OTHER_NUMBERS,
    ("in-place", r"addbmm-.*"): "PyTorch resizes a self that was broadcast; ours refuses, as baddbmm_ does",
    ("function", r"nn\.functional\.embedding-float64"): f"no renorm, no sparse tensors; {SCALED}",
    ("function", r"cov-complex128"): "of weights in float32: what cancels leaves another rounding error",
    ("function", r"var(_mean)?(\.unbiased)?-.*"): "NaN in the second derivative of no elements",
    ("function", r"as_strided_scatter-.*"): OVERWRITTEN,
    (
        "function",
        r"nn\.functional\.linear_cross_entropy\.chunked-.*",
    ): "PyTorch's has no second derivative: it computes gradients in its forward pass",
}

# (overload, its arguments): calls that may end PyTorch's process, so that there is nothing to compare to.
KILLS_PYTORCH: dict[tuple[str, str], str] = {
    (
        "_fft_c2c",
        r".*-1\].*",
    ): "its kernel takes negative dimensions as they are: wrong values, memory freed twice",
}


def kills_pytorch(overload: str, arguments: str) -> bool:
    return any(re.fullmatch(o, overload) and re.fullmatch(a, arguments) for o, a in KILLS_PYTORCH)


def opinfo_reason(form: str, case: str) -> str | None:
    return next(
        (why for (f, pattern), why in OPINFO.items() if f == form and re.fullmatch(pattern, case)), None
    )


def reason_for(test: str, overload: str, dtype: str, control: bool = False) -> str | None:
    for (t, o, d), reason in {**REASONS, **(CONTROL if control else {})}.items():
        if re.fullmatch(t, test) and re.fullmatch(o, overload) and re.fullmatch(d, dtype):
            return reason
    return None
