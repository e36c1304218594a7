"""The argument parser: the overload that a call selects, and the error when there is none."""

from __future__ import annotations

import re

import aten
import pytest

X = aten.tensor([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: aten.add(X, [1]),
            "aten.add(): argument 'other' (position 2): expected Tensor or Number, got list",
        ),
        (lambda: aten.add(X), "aten.add(): missing required argument 'other' (position 2)"),
        (lambda: aten.add(X, X, X), "aten.add(): takes 2 positional arguments but 3 were given"),
        (lambda: aten.add(X, X, beta=1), "aten.add(): got an unexpected keyword argument 'beta'"),
        (lambda: aten.add(X, X, input=X), "aten.add(): got multiple values for argument 'input'"),
        (lambda: aten.add(X, other="a"), "aten.add(): argument 'other': expected Tensor or Number, got str"),
        (
            lambda: X.add({}),
            "aten.Tensor.add(): argument 'other' (position 1): expected Tensor or Number, got dict",
        ),
        (lambda: aten.mm(X, 2), "aten.mm(): argument 'mat2' (position 2): expected Tensor, got int"),
        (
            lambda: aten.relu(None),
            "aten.relu(): argument 'input' (position 1): expected Tensor, got NoneType",
        ),
        (lambda: X.view([1.5]), "aten.Tensor.view(): "),
        (lambda: aten.empty(2, "a"), "aten.empty(): "),
        (
            lambda: aten.cat([X, 1]),
            "aten.cat(): argument 'tensors' (position 1): expected tuple of Tensors, "
            "got list of (Tensor, int)",
        ),
        (
            lambda: aten.zeros(2, dtype="float"),
            "aten.zeros(): argument 'dtype': expected aten.dtype or None, got str",
        ),
        (
            lambda: aten.nn.functional.gelu(X, approximate=1),
            "aten.nn.functional.gelu(): argument 'approximate': expected str, got int",
        ),
        (lambda: aten.topk(X, True), "aten.topk(): argument 'k' (position 2): expected int, got bool"),
        (
            lambda: aten.ops.aten.add.Tensor(X, "a"),
            "aten.add.Tensor(): argument 'other' (position 2): expected Tensor, got str",
        ),
        (lambda: aten.ops.aten.add.Tensor(X), "aten.add.Tensor(): missing required argument 'other'"),
    ],
)
def test_messages(call, message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        call()


def test_all_overloads_are_listed() -> None:
    with pytest.raises(
        TypeError, match=r"received an invalid combination of arguments - got \(Tensor, str\)"
    ) as caught:
        aten.pow(X, "a")
    assert "(Tensor input, Number exponent, *, Tensor out = None)" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: X.sum(5), IndexError),
        (lambda: X.view(3), RuntimeError),
        (lambda: X + aten.ones(3), RuntimeError),
        (lambda: aten.empty(-1), RuntimeError),
        (lambda: aten.empty(2**62), (RuntimeError, MemoryError)),
        (lambda: aten.empty(2**40), (RuntimeError, MemoryError)),
        (lambda: aten.add(X, 2**70), OverflowError),
        (lambda: X.view(2**70), TypeError),
        (lambda: aten.bmm(X, X), RuntimeError),
        (lambda: aten.gather(X, 1, aten.tensor([[9]])), (RuntimeError, IndexError)),
    ],
)
def test_errors_of_operators(call, error) -> None:
    with pytest.raises(error):
        call()


def test_messages_name_the_operator_once() -> None:
    with pytest.raises(RuntimeError, match=r"^aten\.Tensor\.add\(\): The size of tensor a"):
        X.add(aten.ones(3))


def test_only_a_list_of_any_length_may_be_spread() -> None:
    assert X.permute(1, 0).shape == X.permute((1, 0)).shape == (2, 2)
    assert X.var((0, 1)).dim() == 0 and X.var(0).shape == (2,)
    with pytest.raises(TypeError, match=r"invalid combination of arguments - got \(int, int\)"):
        X.var(0, 1)


def test_overload_resolution() -> None:
    assert X.sum().item() == 10 and X.sum(0).tolist() == [4, 6] and X.sum([0, 1]).item() == 10
    assert X.sum(dim=1, keepdim=True).shape == (2, 1) == X.sum(axis=1, keepdims=True).shape
    assert aten.sum(X, 0, True).shape == (1, 2)
    assert X.view(4).shape == X.view((4,)).shape == X.view([2, 2]).reshape(-1).shape == (4,)
    assert aten.zeros(2, 3).shape == aten.zeros((2, 3)).shape == aten.zeros(size=[2, 3]).shape == (2, 3)
    assert aten.empty(()).shape == aten.empty([]).shape == ()
    assert aten.arange(3).tolist() == [0, 1, 2] and aten.arange(1, 3).tolist() == [1, 2]
    assert aten.pow(2, aten.tensor([1.0, 2.0])).tolist() == [2, 4] and aten.pow(X, 2)[1, 1] == 16
    assert aten.add(input=X, other=1)[0, 0] == 2 and aten.add(x1=X, x2=1)[0, 0] == 2
    assert aten.where(X > 2, X, 0.0)[0, 0] == 0
    assert X.clamp(min=2).min if hasattr(X, "min") else True
    assert aten.ones(2, dtype=int).dtype is aten.int64 and aten.ones(2, dtype=float).dtype is aten.float64
    assert X.permute(1, 0).shape == X.permute((1, 0)).shape
    assert aten.tensor(3).add(aten.tensor(2.5)).item() == 5.5


def test_scalars_of_all_kinds() -> None:
    np = pytest.importorskip("numpy")
    for value in (2, 2.0, True, np.float32(2), np.int8(2), np.float64(2), aten.tensor(2)):
        assert X.mul(value)[0, 0] in (1.0, 2.0)
    assert X.sum(np.int64(0)).shape == (2,)
    assert X.view(np.int32(4)).shape == (4,)
    assert X.sum(aten.tensor(0)).shape == (2,)


def test_type_promotion_with_numbers() -> None:
    i = aten.arange(3)
    assert (
        (i + 1).dtype is aten.int64 and (i + 1.5).dtype is aten.float32 and (X + 1j).dtype is aten.complex64
    )
    assert (1 - i).tolist() == [1, 0, -1] and (2 / aten.tensor([4.0])).item() == 0.5
    assert (7 % aten.tensor([4])).item() == 3 and (7 // aten.tensor([4])).item() == 1
    assert (2**i).tolist() == [1, 2, 4]


def test_operators_of_python() -> None:
    x = aten.tensor([1, 2, 3])
    y = x
    y += 1
    assert y is x and x.tolist() == [2, 3, 4]
    assert (
        (x & 2).tolist() == [2, 2, 0]
        and (x == 3).tolist() == [False, True, False]
        and (~(x > 2)).tolist() == [True, False, False]
    )
    assert (X @ X)[0, 0] == 7
    with pytest.raises(TypeError, match="unsupported operand"):
        x + "a"
    with pytest.raises(TypeError):
        _ = x < "a"
    assert (x == "a") is False and (x != "a") is True


def test_out_arguments() -> None:
    out = aten.empty(0)
    assert aten.add(X, X, out=out) is out and out.shape == (2, 2)
    values, indices = aten.empty(0), aten.empty(0, dtype=aten.int64)
    result = aten.topk(X, 1, out=(values, indices))
    assert result.values is values and result.indices is indices
    with pytest.raises(RuntimeError, match="dtype"):
        aten.zeros(2, out=out, dtype=aten.int32)
    with pytest.raises(TypeError):
        aten.topk(X, 1, out=(values,))


def test_named_tuples() -> None:
    found = aten.topk(X, 1)
    assert type(found).__name__ == "topk" and found[0] is found.values and len(found) == 2
    values, indices = X.sort()
    assert indices.dtype is aten.int64 and values.shape == (2, 2)


def test_every_function_has_a_docstring() -> None:
    bare = [n for n, f in vars(aten._C._VariableFunctions).items() if callable(f) and not f.__doc__]
    members = {n: getattr(aten.Tensor, n, None) for n in dir(aten.Tensor) if not n.startswith("_")}
    bare += [n for n, f in members.items() if f is not None and not f.__doc__]
    assert not bare
    assert aten.add.__doc__.startswith("add(input, other, *, alpha=1, out=None) -> Tensor")
