"""Kernels of custom operators for autograd: a Function of each, from its backward and setup_context."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .. import _C
from .._C import OpOverload, Tensor
from ..autograd import Function
from ..library import DispatchKeySet

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .._schema import Argument

_AUTOGRAD = DispatchKeySet(["AutogradFunctionality", "AutogradOther", "AutogradNestedTensor"]).raw_repr()
_BELOW = DispatchKeySet.after("AutogradOther")


class Formula:
    """What an operator's gradient is computed by; both may be None."""

    _backward_fn: Callable[..., Any] | None = None
    _setup_context_fn: Callable[..., Any] | None = None


@contextmanager
def _below_autograd() -> Iterator[None]:
    included, excluded = _C._tls_keys()
    _C._set_tls_keys(included, excluded | _AUTOGRAD)
    try:
        yield
    finally:
        _C._set_tls_keys(included, excluded)


def with_defaults(
    arguments: Sequence[Argument], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """All arguments of a call: kernels get no trailing ones that equal their defaults."""
    positional = [a.default_value for a in arguments if not a.kwarg_only]
    positional[: len(args)] = args
    keywords = {a.name: kwargs.get(a.name, a.default_value) for a in arguments if a.kwarg_only}
    return tuple(positional), keywords


class _Call:
    """One call: its keys and keyword arguments, and which tensors belong to which list."""

    def __init__(self, keys: DispatchKeySet, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.keys, self.kwargs = keys, kwargs
        self.inputs = _lengths(args)
        self.outputs: list[int | None] = []
        self.returns_tuple = False


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(v is None or isinstance(v, Tensor) for v in value)


def _lengths(values: Sequence[Any]) -> list[int | None]:
    return [len(value) if _is_list(value) else None for value in values]


def _flat(values: Sequence[Any]) -> list[Any]:
    return [each for value in values for each in (value if _is_list(value) else [value])]


def _nested(flat: Sequence[Any], lengths: Sequence[int | None]) -> list[Any]:
    rest, found = iter(flat), []
    for length in lengths:
        found.append(next(rest) if length is None else [next(rest) for _ in range(length)])
    return found


def _flat_gradients(op: OpOverload, result: Any, lengths: Sequence[int | None]) -> list[Any]:
    """The gradients for each argument, those of a list in its place."""
    results = result if isinstance(result, tuple) else (result,)
    fits = len(results) == len(lengths) and all(
        length is None or (isinstance(r, list) and len(r) == length)
        for r, length in zip(results, lengths, strict=True)
    )
    if not fits and any(length is not None for length in lengths):
        raise RuntimeError(
            "Expected the return from backward to be of the same structure as the inputs. Got: "
            f"{_lengths(results)} (lengths of the lists that backward of {op} returned), "
            f"{list(lengths)} (inputs)"
        )
    return _flat(results)


def autograd_kernel(op: OpOverload, formula: Formula) -> Callable[..., Any]:
    """Returns the operator's kernel for the key Autograd. The formula is read in each call."""
    arguments = op._schema.arguments
    by_keywords = any(a.kwarg_only for a in arguments)

    def compute(call: _Call, args: Sequence[Any]) -> Any:
        return op.redispatch(call.keys & _BELOW, *args, **call.kwargs)

    def forward(ctx: Any, *flat: Any) -> Any:
        call: _Call = flat[-1]
        args = _nested(flat[:-1], call.inputs)
        with _below_autograd():
            result = compute(call, args)
            if formula._setup_context_fn is not None:
                inputs, keywords = with_defaults(arguments, args, call.kwargs)
                given = {"keyword_only_inputs": keywords} if by_keywords else {}
                formula._setup_context_fn(ctx=ctx, inputs=inputs, output=result, **given)
        call.returns_tuple = isinstance(result, tuple)
        results = result if call.returns_tuple else (result,)
        call.outputs = _lengths(results)
        ctx._call = call
        flat_results = _flat(results)
        return flat_results[0] if len(flat_results) == 1 else tuple(flat_results)

    def backward(ctx: Any, *grads: Any) -> Any:
        if formula._backward_fn is None:
            raise RuntimeError(
                f"Trying to backward through {op} but no autograd formula was registered. Please use "
                "register_autograd to add one."
            )
        call, needed = ctx._call, ctx.needs_input_grad
        ctx.needs_input_grad = tuple(_nested(needed[:-1], call.inputs))
        try:
            result = formula._backward_fn(ctx, *_nested(grads, call.outputs))
        finally:
            ctx.needs_input_grad = needed
        return (*_flat_gradients(op, result, call.inputs), None)

    name = f"GeneratedBackwardFor_{op.name().replace('::', '_')}_default"
    made: Any = type(
        name, (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    )

    def kernel(keys: DispatchKeySet, *args: Any, **kwargs: Any) -> Any:
        call = _Call(keys, args, kwargs)
        flat = _flat(args)
        if not (_C.is_grad_enabled() and any(isinstance(a, Tensor) and a.requires_grad for a in flat)):
            with _below_autograd():
                return compute(call, args)
        result = made.apply(*flat, call)
        results = _nested(result if isinstance(result, tuple) else (result,), call.outputs)
        return tuple(results) if call.returns_tuple else results[0]

    return kernel
