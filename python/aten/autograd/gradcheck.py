"""Comparison of derivatives with finite differences."""

from __future__ import annotations

import aten

from ._gradient_check import Check, GradcheckError
from ._vectors import apart, as_tuple, differentiable, is_tensor, random

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Whether the derivatives of `func` at `inputs` agree with finite differences.

    Inputs that require grad should be of double precision. `fast_mode` compares one random product with the
    Jacobian for each pair of input and output instead of all its elements. `check_batched_grad` and
    `check_batched_forward_grad` compare products in vmap() with those of each example. `masked` is for sparse
    tensors, which are not supported. Raises GradcheckError, or returns False if `raise_exception` is False.
    """
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    check = Check(func, as_tuple(inputs), eps, atol, rtol, fast_mode)
    try:
        check.inputs_are_usable()
        outputs = check.outputs()
        if not outputs:
            check.constant()
        if check_forward_ad:
            check.forward()
        if check_batched_forward_grad:
            check.batched_forward()
        if check_backward_ad and outputs:
            check.backward()
            check.gradients(check_grad_dtypes, nondet_tol)
        if check_batched_grad:
            check.batched_backward()
        if check_backward_ad and check_undefined_grad and outputs:
            check.undefined_gradients()
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """gradcheck() of the gradients of `func` as functions of `inputs` and `grad_outputs`; these are random
    unless given."""
    given = as_tuple(inputs)
    if grad_outputs is None:
        wanted = tuple(random(o, 7 + i) for i, o in enumerate(differentiable(func(*given))))
        wanted = tuple(map(apart, wanted)) if gen_non_contig_grad_outputs else wanted
    else:
        wanted = as_tuple(grad_outputs)
    wanted = tuple(g.requires_grad_() for g in wanted)

    def first_derivatives(*arguments: Any) -> tuple[Any, ...]:
        at, grads = arguments[: len(given)], arguments[len(given) :]
        outputs = differentiable(func(*at))
        wrt = [x for x in at if is_tensor(x) and x.requires_grad]
        found = aten.autograd.grad(outputs, wrt, grads, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(
        first_derivatives,
        given + wanted,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )
