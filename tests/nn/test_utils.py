"""aten.nn.utils beside PyTorch's, and without it."""

from __future__ import annotations

import aten
import pytest
from aten.nn import utils


def parameters_of(T):
    made = []
    for i, shape in enumerate([(2, 3), (4,), ()]):
        p = T.nn.Parameter(T.ones(shape) * i)
        p.grad = T.full(shape, 3.0 - 2 * i)
        made.append(p)
    made.append(T.nn.Parameter(T.ones(2)))  # without a gradient
    return made


def packed(T, enforce_sorted):
    rnn = T.nn.utils.rnn
    sequences = [
        T.arange(2 * n, dtype=T.float32).reshape(n, 2) for n in ((4, 3, 1), (1, 4, 3))[not enforce_sorted]
    ]
    pack = rnn.pack_sequence(sequences, enforce_sorted=enforce_sorted)
    padded = rnn.pad_packed_sequence(pack, total_length=6, padding_value=-1.0)
    again = rnn.pack_padded_sequence(padded[0], padded[1], enforce_sorted=enforce_sorted)
    left = rnn.pad_sequence(sequences, batch_first=True, padding_side="left")
    return [*pack, *padded, *again, left, *rnn.unpack_sequence(pack), pack.double().data]


def clipped(T, norm):
    given = parameters_of(T)
    total = T.nn.utils.clip_grad_norm_(given, 2.0, norm)
    one = T.nn.utils.clip_grad_norm_(given[0], 0.5)
    T.nn.utils.clip_grad_value_(given, 0.1)
    return [total, one, *(p.grad for p in given[:3])]


def as_vector(T):
    given = parameters_of(T)
    vector = T.nn.utils.parameters_to_vector(given)
    T.nn.utils.vector_to_parameters(vector * 2 + 1, given)
    return [vector, *given]


PROGRAMS = {
    "sorted": lambda T: packed(T, True),
    "unsorted": lambda T: packed(T, False),
    **{f"norm {n}": lambda T, n=n: clipped(T, n) for n in (1.0, 2.0, float("inf"))},
    "vector": as_vector,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gives_what_pytorch_gives(name):
    torch = pytest.importorskip("torch")
    mine, theirs = PROGRAMS[name](aten), PROGRAMS[name](torch)
    assert len(mine) == len(theirs)
    for a, b in zip(mine, theirs, strict=True):
        assert (a is None) == (b is None)
        if b is not None:
            assert tuple(a.shape) == tuple(b.shape)
            assert aten.allclose(a.double(), aten.from_dlpack(b.detach().double().clone()), atol=1e-6)


def test_refusals():
    p = aten.nn.Parameter(aten.ones(2))
    p.grad = aten.full((2,), float("nan"))
    with pytest.raises(RuntimeError, match="non-finite"):
        utils.clip_grad_norm_(p, 1.0, error_if_nonfinite=True)
    with pytest.raises(TypeError, match="different devices"):
        utils.parameters_to_vector([p, p.to("meta")])
    with pytest.raises(ValueError, match="total_length"):
        utils.rnn.pad_packed_sequence(utils.rnn.pack_sequence([aten.ones(3)]), total_length=2)
    assert utils.clip_grad_norm_([], 1.0).item() == 0.0
