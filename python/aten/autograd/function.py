"""Custom functions with custom derivatives."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from .._C import _FunctionCtx as FunctionCtx

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__all__ = ["Function", "FunctionCtx", "once_differentiable"]


class Function(_C._FunctionBase):
    """Base class of custom functions: define `forward` and `backward` as static methods, and call `apply`.

        class Cube(Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x**3

            @staticmethod
            def backward(ctx, grad):
                (x,) = ctx.saved_tensors
                return grad * 3 * x**2

        y = Cube.apply(x)

    `forward` runs with grad mode disabled. `backward` gets a gradient for each result and returns a gradient
    of the same shape, or None, for each argument. If `setup_context(ctx, inputs, output)` is defined,
    `forward` gets no ctx. `jvp` gets a tangent for each argument and returns one for each result.

    In func.vmap(), `forward` gets tensors that stand for one example, as other functions do, whether
    `generate_vmap_rule` is set or not. If `vmap(info, in_dims, *args)` is defined, it is called instead, with
    the tensors of all examples.
    """

    generate_vmap_rule = False

    _backward_cls: type[FunctionCtx] = FunctionCtx
    _has_setup_context = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "vjp" in vars(cls):
            if "backward" in vars(cls):
                raise RuntimeError(f"{cls.__name__}: backward and vjp are names of one method; define one")
            cls.backward = vars(cls)["vjp"]  # type: ignore[method-assign]
        cls._has_setup_context = cls.setup_context is not Function.setup_context
        contents = {"_forward_cls": cls, "__module__": cls.__module__}
        cls._backward_cls = type(f"{cls.__name__}Backward", (FunctionCtx,), contents)

    def __new__(cls, *args: Any, **kwargs: Any) -> Function:
        raise RuntimeError(f"{cls.__name__} cannot be instantiated or called; use {cls.__name__}.apply(...)")

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Computes the results: `forward(ctx, *args)`, or `forward(*args)` if setup_context is defined."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Saves to ctx what backward needs, if forward has no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Computes the gradients of the arguments from those of the results."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use "
            "it with backward mode AD."
        )

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Computes the tangents of the results from those of the arguments."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], *args: Any) -> Any:
        """Computes the results for all examples: returns them and the dimensions along which the examples lie
        in them (None: the same for all). `in_dims` are those of the arguments; `info` has the batch_size and
        the randomness of the map. Needs setup_context."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
            "generate_vmap_rule=True."
        )

    @classmethod
    def _complete_arguments(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """All arguments of forward by position, defaults included."""
        code = getattr(cls.forward, "__code__", None)
        if not kwargs and code is not None and len(args) >= code.co_argcount:
            return args
        import inspect

        before = () if cls._has_setup_context else (None,)  # in place of ctx
        bound = inspect.signature(cls.forward).bind(*before, *args, **kwargs)
        if bound.kwargs:
            raise TypeError(f"{cls.__name__}.apply(): keyword-only arguments of forward() can't be given")
        if cls._has_setup_context:
            bound.apply_defaults()
        return bound.args[len(before) :]


def _refuse_twice(*values: Any) -> Any:
    """The detached values, as results of a function whose backward raises an error."""

    class Twice(Function):
        @staticmethod
        def forward(ctx: Any, *values: Any) -> Any:
            return tuple(v.detach() if isinstance(v, Tensor) else v for v in values)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            raise RuntimeError(
                "trying to differentiate twice a function that was marked with @once_differentiable"
            )

    return Twice.apply(*values)


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for `backward`: runs it without grad mode, and makes differentiating its results an error."""
    import functools

    from .grad_mode import no_grad

    @functools.wraps(fn)
    def once(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            results = fn(ctx, *grads)
        needed = _C.is_grad_enabled() and any(isinstance(g, Tensor) and g.requires_grad for g in grads)
        if not needed:
            return results
        several = results if isinstance(results, tuple) else (results,)
        # Differentiating the results must raise an error.
        marked = [r.detach().requires_grad_() if isinstance(r, Tensor) else r for r in several]
        return _refuse_twice(*marked)

    return once
