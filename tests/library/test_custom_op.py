"""Operators made of Python functions: the same programs with PyTorch's torch.library."""

from __future__ import annotations

import aten
import pytest
from aten.library import custom_op, infer_schema
from custom_op_programs import CALLS, SCHEMAS, WRONG_SIGNATURES, run


def words(text: str) -> str:
    """The text without what names the packages and modules, and the rest of their messages."""
    text = text.replace("torch.", "").replace("aten.", "").replace("`", "")
    for opening, rest in (
        (" (with implementation", ": The output"),
        ("The valid types", ""),
        ("For example", ""),
    ):
        if opening in text:
            head, _, tail = text.partition(opening)
            text = head + (tail[tail.index(rest) :] if rest else "")
    return " ".join(text.split())


def defined(signature: str, mutates: str = "()") -> str:
    return f"def f{signature}: ...\nresult = op('programs::f', f, mutates_args={mutates})"


@pytest.mark.parametrize("signature", SCHEMAS)
@pytest.mark.parametrize("mutates", ["()", "'unknown'"])
def test_schemas(signature: str, mutates: str) -> None:
    torch = pytest.importorskip("torch")
    program = f"def f{signature}: ...\nresult = library.infer_schema(f, mutates_args={mutates}, op_name='f')"
    expected = run(torch, program)
    assert "->" in expected and run(aten, program) == expected
    stated = f"{defined(signature, mutates)}\nresult = T.ops.programs.f.default._schema"
    # PyTorch prints defaults of devices without quotes, and alias sets of lists of optional tensors before
    # "?".
    theirs = run(torch, stated).replace("=cpu", '="cpu"').replace("Tensor?(a2!)[]", "Tensor(a2!)?[]")
    assert run(aten, stated) == theirs


@pytest.mark.parametrize("signature", WRONG_SIGNATURES)
def test_wrong_signatures(signature: str) -> None:
    torch = pytest.importorskip("torch")
    program = defined(signature, WRONG_SIGNATURES[signature])
    kind, text = run(torch, program)
    our_kind, our_text = run(aten, program)
    assert (our_kind, words(our_text)[:60]) == (kind, words(text)[:60])


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    torch = pytest.importorskip("torch")
    expected, found = run(torch, CALLS[name]), run(aten, CALLS[name])
    if not isinstance(expected, tuple):
        assert found == expected
        return
    assert isinstance(found, tuple), found
    assert found[0] == expected[0]
    assert words(expected[1])[:40] in words(found[1])


@pytest.mark.parametrize("name", ["without", "ns::a::b"])
def test_wrong_names(name: str) -> None:
    with pytest.raises(ValueError, match='of the form "namespace::name"'):
        custom_op(name, lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor")


def test_gradients_by_finite_differences() -> None:
    @custom_op("here::sine", mutates_args=(), schema="(Tensor x, Tensor y) -> Tensor")
    def sine(x, y):
        return aten.from_numpy(aten.sin(x.detach() * y.detach()).numpy())

    def save(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        slope = aten.cos(x * y) * grad
        return slope * y, slope * x

    sine.register_autograd(backward, setup_context=save)
    inputs = [aten.rand(3, dtype=aten.float64, requires_grad=True) for _ in range(2)]
    assert aten.autograd.gradcheck(sine, inputs) and aten.autograd.gradgradcheck(sine, inputs)


def test_what_is_refused() -> None:
    @custom_op("here::plain", mutates_args=(), schema="(Tensor x) -> Tensor")
    def plain(x):
        return x + 1

    with pytest.raises(NotImplementedError, match="batched kernels"):
        plain.register_vmap(lambda info, in_dims, x: (x, 0))
    with pytest.raises(NotImplementedError, match=r"Tag\.inplace"):
        custom_op("here::tagged", mutates_args={"x"}, tags=aten.Tag.inplace)
    with pytest.raises(RuntimeError, match="no fake impl registered"):
        plain(aten.ones(2, device="meta"))
    with pytest.raises(AttributeError, match="no attribute 'opcheck'"):
        _ = aten.library.opcheck


def test_schema_without_pytorch() -> None:
    def f(x: aten.Tensor, n: list[int], s: float | None = None) -> tuple[aten.Tensor, int]: ...

    f.__annotations__ = {
        "x": aten.Tensor, "n": list[int], "s": float | None, "return": tuple[aten.Tensor, int]
    }  # fmt: skip
    assert infer_schema(f, mutates_args={"x"}) == (
        "(Tensor(a0!) x, SymInt[] n, float? s=None) -> (Tensor, SymInt)"
    )
