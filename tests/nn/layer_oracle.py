"""Conversions between PyTorch's values and ours, and comparisons of them."""

from __future__ import annotations

import dataclasses

import aten
import torch


def mapped(f, value):
    """The value with f(t) for each of PyTorch's tensors."""
    if isinstance(value, torch.Tensor):
        return f(value)
    if isinstance(value, torch.nn.utils.rnn.PackedSequence):
        return type(value)(*(mapped(f, v) for v in value))
    if isinstance(value, dict):
        return {k: mapped(f, v) for k, v in value.items()}
    return type(value)(mapped(f, v) for v in value) if type(value) in (tuple, list) else value


def ours(value):
    """The value with our tensors, dtypes and functions in place of PyTorch's."""
    if isinstance(value, torch.Tensor):
        made = aten.from_dlpack(value.detach().clone().resolve_conj())
        return made.requires_grad_() if value.requires_grad else made
    if isinstance(value, torch.dtype):
        return getattr(aten, str(value).removeprefix("torch."))
    if isinstance(value, torch.nn.TransformerEncoderLayer):
        sizes = (value.linear1.in_features, value.self_attn.num_heads, value.linear1.out_features)
        options = {"batch_first": value.self_attn.batch_first, "norm_first": value.norm_first}
        options["bias"] = value.linear1.bias is not None
        return aten.nn.TransformerEncoderLayer(*sizes, value.dropout.p, ours(value.activation), **options)
    if isinstance(value, torch.nn.Module):
        return getattr(aten.nn, type(value).__name__)()
    if isinstance(value, torch.nn.utils.rnn.PackedSequence):
        return aten.nn.utils.rnn.PackedSequence(*(ours(v) for v in value))
    if isinstance(value, torch.nn.LinearCrossEntropyOptions):
        return aten.nn.LinearCrossEntropyOptions(**ours(dataclasses.asdict(value)))
    if value in (torch.nn.functional.relu, torch.nn.functional.gelu):
        return getattr(aten.nn.functional, value.__name__)
    if isinstance(value, dict):
        return {k: ours(v) for k, v in value.items()}
    if type(value) in (tuple, list):
        return type(value)(ours(v) for v in value)
    return value


def tensors(value):
    """The tensors inside of a value, of either library."""
    if isinstance(value, (torch.Tensor, aten.Tensor)):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [t for v in value for t in tensors(v)] if isinstance(value, (tuple, list)) else []


def assert_same(mine, theirs, what, tolerance=1e-7):
    """The tensors of both have the same shapes, dtypes and almost the same values."""
    mine, theirs = tensors(mine), tensors(theirs)
    assert len(mine) == len(theirs), what
    for a, b in zip(mine, theirs, strict=True):
        assert tuple(a.shape) == tuple(b.shape), what
        assert str(a.dtype).split(".")[1] == str(b.dtype).split(".")[1], what
        converted = torch.from_dlpack(a.detach().contiguous())
        torch.testing.assert_close(
            converted, b.detach().contiguous(), rtol=tolerance, atol=tolerance, equal_nan=True
        )


def backward(results):
    """Computes gradients from all results, each weighted differently, in one pass."""
    weighted = [
        (t * t.detach().sin()).sum()
        for t in tensors(results)
        if t.requires_grad and (t.is_floating_point() or t.is_complex())
    ]
    if weighted:
        total = weighted[0]
        for part in weighted[1:]:
            total = total + part
        total.backward()
