"""Programs of nn.utils and func: `program(T)` returns tensors and texts that must be the same for T = aten
and for T = torch."""

from __future__ import annotations

import re

import aten
import pytest


def same(program, tolerance=2e-6):
    """Asserts that the program gives the same with both packages."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch.nn.utils.prune")  # is imported on its own
    mine, theirs = list(flat(program(aten))), list(flat(program(torch)))
    assert len(mine) == len(theirs)
    for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
        if isinstance(b, torch.Tensor):
            assert isinstance(a, aten.Tensor), i
            assert tuple(a.shape) == tuple(b.shape), i
            assert text(a.dtype) == text(b.dtype), i
            assert a.requires_grad == b.requires_grad, i
            converted = torch.from_dlpack(a.detach().contiguous())
            torch.testing.assert_close(converted, b.detach().contiguous(), rtol=tolerance, atol=tolerance)
        else:
            assert text(a) == text(b), i


def flat(value):
    """The tensors and others inside of a value; keys count too."""
    if isinstance(value, dict):
        value = [part for item in value.items() for part in item]
    if type(value) in (tuple, list):
        for part in value:
            yield from flat(part)
    else:
        yield value


def text(value) -> str:
    """The value without the packages' names."""
    return re.sub(r"\b(torch|aten)\.(?=\w)", "", str(value)).replace("nn.modules.module.", "")


def pattern(T, *shape, start=0.3, dtype=None):
    """A tensor of values between -1 and 1 that differ; matrices have full rank."""
    n = 1
    for size in shape:
        n *= size
    k = T.arange(n, dtype=T.float64)
    return T.sin(k * (k + 1.7) + start).reshape(shape).to(dtype or T.float32)


def filled(T, module):
    """The module with parameters of a pattern, and running statistics."""
    with T.no_grad():
        for i, parameter in enumerate(module.parameters()):
            parameter.copy_(pattern(T, *parameter.shape, start=i + 0.3, dtype=parameter.dtype))
        for name, buffer in module.named_buffers():
            if name.endswith(("mean", "var")):
                buffer.copy_(pattern(T, *buffer.shape) + 1.5)
    return module


def error(function, *args, **kwargs) -> str:
    """The class and the text of the error that a call raises."""
    with pytest.raises(Exception) as raised:
        function(*args, **kwargs)
    return f"{type(raised.value).__name__}: {raised.value}"


def trained(T, module, *inputs):
    """The result of the module, and the gradients of its parameters by name."""
    result = module(*inputs)
    first = result[0] if isinstance(result, tuple) else result
    (first * first.detach().cos()).sum().backward()
    gradients = {name: p.grad for name, p in module.named_parameters() if p.grad is not None}
    return [first, gradients, list(module.state_dict())]
