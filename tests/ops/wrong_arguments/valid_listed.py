"""Valid calls of the overloads that no sample row binds to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import aten
import numpy as np
from calls import Call, DType
from tensors import Operand, numbers, operand


def real(*shape: int, low: float = -2, high: float = 2, seed: int = 0) -> Operand:
    return operand(numbers(shape, "float32", low, high, seed), "float32")


def integers(*values: int) -> Operand:
    return operand(np.array(values, np.int64), "int64")


def blank(dtype: str, *shape: int) -> Operand:
    """Returns a tensor to write to."""
    return operand(np.zeros(shape), dtype)


def given(*args: Any, **kwargs: Any) -> list[Call]:
    return [Call(args, kwargs)]


def operators_of_python() -> Iterator[tuple[str, list[Call]]]:
    table, row = operand(np.arange(6).reshape(2, 3), "int64"), integers(1, 2, 3)
    for op in ("iand", "ior", "ixor", "ilshift", "irshift"):
        yield f"__{op}__.Scalar", given(table, 3)
        yield f"__{op}__.Tensor", given(table, row)


def factories() -> Iterator[tuple[str, list[Call]]]:
    """Yields calls of the out= forms of factories: the functional ones have rows."""
    size, out = [2, 3], {"out": blank("float32", 2, 3)}
    for name in ("empty", "ones", "zeros", "rand", "randn"):
        yield f"{name}.out", given(size, **out)
    for name in ("rand", "randn"):
        yield f"{name}.generator_out", given(size, generator=None, **out)
    yield "full.out", given(size, 1.5, **out)
    yield "normal.float_float_out", given(0.5, 1.0, size, **out)
    yield "empty_strided.out", given(size, [3, 1], **out)
    yield "arange.out", given(5, out=blank("float32", 5))
    yield "arange.start_out", given(1, 10, 2, out=blank("float32", 5))
    yield "scalar_tensor.out", given(1.5, out=blank("float32"))
    yield "fft_fftfreq.out", given(6, 0.5, out=blank("float32", 6))
    yield "fft_rfftfreq.out", given(6, 0.5, out=blank("float32", 4))
    for low in ((), (-3,)):
        prefix = "low_" if low else ""
        yield f"randint.{prefix}out", given(*low, 9, size, out=blank("int64", 2, 3))
        yield f"randint.{prefix}generator_out", given(*low, 9, size, generator=None, out=blank("int64", 2, 3))
    yield "randperm.out", given(6, out=blank("int64", 6))
    yield "randperm.generator_out", given(6, generator=None, out=blank("int64", 6))
    yield "_to_copy.out", given(real(2, 3), out=blank("float32", 2, 3))
    yield "resize.out", given(real(2, 3), [3, 2], out=blank("float32", 3, 2))


def windows_and_ranges() -> Iterator[tuple[str, list[Call]]]:
    out, end = {"out": blank("float32", 5)}, real()
    for name in ("bartlett", "blackman", "hamming", "hann", "kaiser"):
        yield f"{name}_window.out", given(5, **out)
        yield f"{name}_window.periodic_out", given(5, False, **out)
    yield "hamming_window.periodic_alpha_out", given(5, False, 0.6, **out)
    yield "hamming_window.periodic_alpha_beta_out", given(5, False, 0.6, 0.3, **out)
    yield "kaiser_window.beta_out", given(5, False, 8.0, **out)
    yield "eye.out", given(3, out=blank("float32", 3, 3))
    yield "eye.m_out", given(3, 4, out=blank("float32", 3, 4))
    yield "range.out", given(0, 4, 1, **out)
    yield "range.out_", given(0, 4, **out)
    yield "empty_permuted.out", given([2, 3], [1, 0], out=blank("float32", 2, 3))
    for name in ("linspace", "logspace"):
        yield f"{name}.out", given(0, 2, 5, **out)
        yield f"{name}.Tensor_Tensor_out", given(end, end, 5, **out)
        yield f"{name}.Tensor_Scalar_out", given(end, 2, 5, **out)
        yield f"{name}.Scalar_Tensor_out", given(0, end, 5, **out)


def queries() -> Iterator[tuple[str, list[Call]]]:
    """Yields calls of operators that say what a tensor is like, and of those that take another's shape."""
    table, other = real(2, 3), real(2, 3, seed=1)
    kinds = ("complex", "conj", "contiguous", "floating_point", "inference", "neg", "pinned", "signed")
    for name in (*(f"is_{kind}" for kind in kinds), "_debug_has_internal_overlap", "_is_zerotensor", "dim"):
        yield name, given(table)
    for name in ("chalf", "get_device", "numel", "pin_memory", "_pin_memory", "storage_offset"):
        yield name, given(table)
    yield "_pin_memory.out", given(table, out=blank("float32", 2, 3))
    for name in ("_is_all_true", "_is_any_true"):
        yield name, given(operand(np.array([True, False]), "bool"))
    yield "is_contiguous.memory_format", given(real(1, 2, 2, 2), aten.channels_last)
    for name in ("_has_same_storage_numel", "is_same_size", "is_set_to", "resize_as", "resize_as_"):
        yield name, given(table, other)
    yield "resize_as.out", given(table, other, out=blank("float32", 2, 3))
    yield "size.int", given(table, 1)
    yield "stride.int", given(table, 1)
    yield "_linalg_check_errors", given(operand(np.zeros(2), "int32"), "linalg.inv", is_matrix=False)
    for name in ("_resize_output", "_resize_output_"):
        yield name, given(table, [3, 2], "cpu")
    yield "_resize_output.out", given(table, [3, 2], "cpu", out=blank("float32", 3, 2))
    for name in ("can_cast", "promote_types"):
        yield name, given(DType("int32"), DType("float32"))
    yield "result_type.Tensor", given(table, other)
    yield "result_type.Scalar", given(table, 1.5)
    yield "result_type.Scalar_Tensor", given(1.5, table)
    yield "result_type.Scalar_Scalar", given(1, 1.5)


def histograms() -> Iterator[tuple[str, list[Call]]]:
    points, edges = real(5, 2), operand(np.array([-2.0, 0.0, 2.0]), "float32")
    yield "histogramdd", given(points, [2, 3])
    yield "histogramdd.int_bins", given(points, 2)
    yield "histogramdd.TensorList_bins", given(points, [edges, edges])


def questions() -> Iterator[tuple[str, list[Call]]]:
    """Yields calls of operators that return no tensor, or that only read."""
    one, table = real(1, low=1), real(2, 3)
    yield "_assert_async", given(one)
    yield "_assert_async.msg", given(one, "a message")
    yield "_assert_scalar", given(1, "a message")
    yield "_assert_tensor_metadata", given(table, [2, 3], [3, 1], DType("float32"))
    yield "_functional_assert_async.msg", given(one, "a message", table)
    yield "_functional_assert_scalar", given(1, "a message", table)
    for name in ("_local_scalar_dense", "item", "is_nonzero"):
        yield name, given(one)
    for name in ("allclose", "equal"):
        yield name, given(table, table)
    for name in ("sym_is_contiguous", "sym_numel", "sym_size", "sym_storage_offset", "sym_stride"):
        yield name, given(table)
    for name in ("sym_size.int", "sym_stride.int"):
        yield name, given(table, 1)
    yield "where", given(operand(np.array([[True, False], [True, True]]), "bool"))


def conversions() -> Iterator[tuple[str, list[Call]]]:
    table = real(2, 3)
    yield "narrow.Tensor", given(table, 1, operand(np.array(1), "int64"), 2)
    yield "polygamma_", given(real(2, 3, low=1), 2)
    double = operand(numbers((2, 3), "float64", 1, 2), "float64")
    yield "float_power_.Scalar", given(double, 2)
    yield "float_power_.Tensor", given(double, double)
    yield "resize", given(table, [3, 2])
    yield "resize_", given(table, [3, 2])
    yield "to.device", given(table, "cpu", DType("float64"))
    yield "to.dtype_layout", given(table, dtype=DType("float64"))
    yield "to.other", given(table, operand(np.zeros(2), "float64"))
    yield "view.dtype", given(table, DType("int32"))
    wave = real(64)
    yield "stft", given(wave, 16, 8, return_complex=True)
    yield "stft.center", given(wave, 16, 8, 16, real(16, low=1), return_complex=True)
    spectrum = operand(numbers((9, 9), "complex64"), "complex64")
    yield "istft", given(spectrum, 16, 8, 16, operand(np.ones(16), "float32"))


def statistics() -> Iterator[tuple[str, list[Call]]]:
    x, weight, mean, variance = real(4, 3, 2), real(3), real(3), real(3, low=1)
    yield "_batch_norm_impl_index", given(x, weight, weight, mean, variance, True, 0.1, 1e-5, True)
    rest = (weight, mean, variance, mean, variance, True, 1e-5, [True, True, True], blank("uint8", 0))
    yield "_batch_norm_impl_index_backward", given(0, x, x, *rest)
    yield "embedding_bag", given(real(5, 4), integers(1, 0, 3), integers(0, 2))
    for name in ("_cummax_helper", "_cummin_helper"):
        yield name, given(real(2, 3), blank("float32", 2, 3), blank("int64", 2, 3), 1)
    yield "rrelu_with_noise_functional", given(real(2, 3), real(2, 3, seed=1), 0.25, 0.5, True)
    ends = integers(0, 2), integers(0, 0, 1), integers(2, 1)
    yield "_embedding_bag_sparse_backward", given(real(2, 4), integers(1, 0, 3), *ends, 5, False, 0, None)


def alignments() -> Iterator[tuple[str, list[Call]]]:
    """Yields calls of the CTC loss of 5 steps, 2 sequences, 4 letters."""
    steps, losses, alpha = real(5, 2, 4, low=-3, high=-0.5), real(2), real(2, 5, 5)
    targets = operand(np.array([[1, 2], [3, 0]]), "int64")
    outs = {"out0": blank("float32", 2), "out1": blank("float32", 2, 5, 5)}
    lists, tensors = ([5, 4], [2, 1]), (integers(5, 4), integers(2, 1))
    for suffix, lengths in (("", lists), (".Tensor", tensors)):
        yield f"_ctc_loss{suffix}", given(steps, targets, *lengths)
        yield f"ctc_loss{suffix or '.IntList'}", given(steps, targets, *lengths)
        yield f"_ctc_loss_backward{suffix}", given(losses, steps, targets, *lengths, losses, alpha, 0)
    yield "_ctc_loss.out", given(steps, targets, *lists, **outs)
    yield "_ctc_loss.Tensor_out", given(steps, targets, *tensors, **outs)
    yield (
        "_ctc_loss_backward.out",
        given(losses, steps, targets, *lists, losses, alpha, 0, out=blank("float32", 5, 2, 4)),
    )


def recurrent() -> Iterator[tuple[str, list[Call]]]:
    """Yields calls with 3 inputs, a state of 4, 2 sequences."""
    for name, gates in (("lstm", 4), ("gru", 3), ("rnn_relu", 1), ("rnn_tanh", 1)):
        weights = [real(4 * gates, 3), real(4 * gates, 4), real(4 * gates), real(4 * gates)]
        state: Any = [real(1, 2, 4), real(1, 2, 4)] if name == "lstm" else real(1, 2, 4)
        yield f"{name}.input", given(real(5, 2, 3), state, weights, True, 1, 0.0, False, False, False)
        yield f"{name}.data", given(real(5, 3), integers(2, 2, 1), state, weights, True, 1, 0.0, False, False)
        state = [real(2, 4), real(2, 4)] if name == "lstm" else real(2, 4)
        yield f"{name}_cell", given(real(2, 3), state, *weights)
    outs = {"out0": blank("float32", 7, 3), "out1": blank("int64", 4)}
    yield "_pack_padded_sequence", given(real(4, 2, 3), integers(4, 3), False)
    yield "_pack_padded_sequence.out", given(real(4, 2, 3), integers(4, 3), False, **outs)
    yield "_pack_padded_sequence_backward", given(real(7, 3), [4, 2, 3], integers(2, 2, 2, 1), False)
    yield "_pad_packed_sequence", given(real(7, 3), integers(2, 2, 2, 1), False, 0.5, 5)


def attention() -> Iterator[tuple[str, list[Call]]]:
    """Yields calls of attention. Two are for the Meta device only; damaging them puts their tensors there."""
    q, sums, none = real(2, 2, 4, 8), real(2, 2, 4), blank("int64")
    yield "_fused_sdp_choice", given(q, q, q)
    yield "_scaled_dot_product_flash_attention", given(q, q, q)
    yield "_scaled_dot_product_efficient_attention", given(q, q, q, None, True)
    yield (
        "_scaled_dot_product_flash_attention_backward",
        given(q, q, q, q, q, sums, none, none, 4, 4, 0.0, False, none, none),
    )
    mask = real(2, 2, 4, 4)
    yield (
        "_scaled_dot_product_efficient_attention_backward",
        given(q, q, q, q, mask, q, sums, none, none, 0.0, [True, True, True, True]),
    )


def optimizers() -> Iterator[tuple[str, list[Call]]]:
    """Yields calls of fused steps in all forms, and of the operators that scale gradients."""
    steps = {"eps": 1e-8, "weight_decay": 0.1, "maximize": False}
    adam = (3, True, {**steps, "beta1": 0.9, "beta2": 0.99, "amsgrad": True})
    momentum = {"momentum": 0.9, "dampening": 0.1, "nesterov": True, "is_first_step": False}
    sgd = (1, False, {"weight_decay": 0.1, "maximize": False, **momentum})
    kinds = {"adam": adam, "adamw": adam, "sgd": sgd, "adagrad": (1, True, {**steps, "lr_decay": 0.1})}
    for name, (states, counts, options) in kinds.items():
        lists = [[real(2, 3, low=0, seed=k), real(4, low=0, seed=k)] for k in range(2 + states)]
        counted = [[real(low=1), real(low=1)]] if counts else []
        for lr, overload in ((0.1, ""), (real(), ".tensor_lr")):
            call = {**options, "lr": lr}
            yield f"_fused_{name}_{overload}", given(*lists, *counted, **call)
            yield f"_fused_{name}{overload}", given(*lists, *counted, **call)
            outs = [blank("float32", 2, 3), blank("float32", 4)]
            out = f"{overload}_out" if overload else ".out"
            yield f"_fused_{name}{out}", given(*lists, *counted, **call, out=outs)
    scale = ([real(2, 3), real(4)], real(), real())
    growth = (real(), operand(np.array(1), "int32"), real(), 2.0, 0.5, 4)
    for name, args, out in (
        ("_amp_foreach_non_finite_check_and_unscale", scale, [blank("float32", 2, 3), blank("float32", 4)]),
        ("_amp_update_scale", growth, blank("float32")),
    ):
        yield f"{name}_", given(*args)
        yield name, given(*args)
        yield f"{name}.out", given(*args, out=out)


SOURCES = (
    operators_of_python,
    factories,
    windows_and_ranges,
    queries,
    histograms,
    questions,
    conversions,
    statistics,
    alignments,
    recurrent,
    attention,
    optimizers,
)


def listed() -> dict[str, list[Call]]:
    return {name: calls for source in SOURCES for name, calls in source()}
