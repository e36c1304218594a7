"""Exchange of the contents of two tensors."""

from __future__ import annotations

from _weakref import getweakrefs

from .. import _C

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

    from .._C import Tensor


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchanges two tensors' data, class, attributes, gradients and hooks: each object becomes the other, for
    all that refer to it. RuntimeError, and nothing is changed, if something besides the two objects refers to
    a tensor: a weak reference, a view, or a graph that saved it. A backward pass that was recorded before and
    would accumulate a gradient in one of them raises an error."""
    slots = [_checked_slots(t, name) for t, name in ((t1, "t1"), (t2, "t2"))]
    if slots[0] != slots[1]:
        raise RuntimeError("Cannot swap t1 and t2 if they have different slots")
    accumulating = [_checked_uses(t, name) for t, name in ((t1, "t1"), (t2, "t2"))]
    kinds = type(t1), type(t2)
    if kinds[0] is not kinds[1]:
        t1.__class__ = kinds[1]
        t2.__class__ = kinds[0]
    for slot in slots[0]:
        _swap_slot(t1, t2, slot)
    _C._swap_tensor_impl(t1, t2)
    for node in accumulating:
        if node is not None:
            node.register_prehook(_refuse)


def _checked_slots(t: Tensor, name: str) -> set[str]:
    if getweakrefs(t):
        raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    import copyreg

    return set(copyreg._slotnames(type(t)))


def _checked_uses(t: Tensor, name: str) -> Any:
    """The node that accumulates the tensor's gradient, if a graph has one. It holds the tensor."""
    count = t._use_count()
    if count == 1:
        return None
    node = _C._gradient_edge(t)[0] if count == 2 and t.is_leaf and t.requires_grad else None
    if node is None or t._use_count() != 2:  # it would be 3 if the node were new
        raise RuntimeError(
            f"Expected use_count of {name} to be 1 or 2 with an AccumulateGrad node but got {count} "
            "make sure you are not holding references to the tensor in other places."
        )
    return node


def _refuse(gradients: Any) -> None:
    raise RuntimeError(
        "Trying to execute AccumulateGrad node that was poisoned by swap_tensors: a tensor that the graph "
        "leads to was swapped after the graph was recorded. Convert a module before the forward pass or "
        "after the backward pass, not between them."
    )


def _swap_slot(t1: Any, t2: Any, slot: str) -> None:
    absent = object()
    values = getattr(t2, slot, absent), getattr(t1, slot, absent)
    for t, value in zip((t1, t2), values, strict=True):
        if value is not absent:
            setattr(t, slot, value)
        elif hasattr(t, slot):
            delattr(t, slot)
