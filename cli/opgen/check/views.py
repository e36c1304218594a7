"""Views, their `_copy` twins and their in-place forms."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import fixes, places
from opgen.diagnostics import Diagnostic, Related, Rule, Severity
from opgen.model import Function, Program

_VIEW = "- func: f(Tensor(a) self) -> Tensor(a)\n  dispatch:\n    CPU: f\n"
_COPY = (
    "- func: f_copy(Tensor self) -> Tensor\n  dispatch:\n    CompositeExplicitAutogradNonFunctional: f_copy\n"
)
_TAG = "  tags: view_copy\n"

COPY_UNLIKE = Rule(
    "OPG720",
    "view-copy-unlike",
    Severity.error,
    "A view and its _copy twin take the same arguments.",
    _VIEW + _COPY.replace("self)", "self, int n)") + _TAG,
    _VIEW + _COPY + _TAG,
)
COPY_TAG = Rule(
    "OPG721",
    "view-copy-tag",
    Severity.error,
    "The _copy twin of a view carries the tag view_copy.",
    _VIEW + _COPY,
    _VIEW + _COPY + _TAG,
    fixable=True,
)
COMPOSITE_UNLIKE = Rule(
    "OPG722",
    "view-composite-unlike",
    Severity.error,
    "A view and its in-place form are both implicit composites, or neither is.",
    "- func: f(Tensor(a) self) -> Tensor(a)\n"
    "- func: f_(Tensor(a!) self) -> Tensor(a!)\n  tags: inplace_view\n  dispatch:\n    CPU: f_\n",
    "- func: f(Tensor(a) self) -> Tensor(a)\n- func: f_(Tensor(a!) self) -> Tensor(a!)\n  tags:"
    " inplace_view\n",
)
RULES = (COPY_UNLIKE, COPY_TAG, COMPOSITE_UNLIKE)


def twins(program: Program) -> Iterator[Diagnostic]:
    for group in program.view_groups:
        view = group.view
        if group.copy is not None:
            yield from _untagged(view, group.copy)
        elif _needs_copy(view):
            yield from _unlike_copy(view, program)
        if group.inplace is not None and not _alike(view, group.inplace):
            related = (Related(view.span, "the view"),)
            message = f"'{view.name}' and '{group.inplace.name}' must both be implicit composites, or neither"
            yield COMPOSITE_UNLIKE.at(group.inplace.span, message, related=related)


def _alike(view: Function, inplace: Function) -> bool:
    """Whether the in-place form has the implicit composite kernels of the view."""
    nested = "CompositeImplicitAutogradNestedTensor"
    same = view.has_kernel("CompositeImplicitAutograd") == inplace.has_kernel("CompositeImplicitAutograd")
    return same and (inplace.has_kernel(nested) or not view.has_kernel(nested))


def _needs_copy(view: Function) -> bool:
    composite = view.has_kernel("CompositeImplicitAutograd")
    return not composite and "inplace_view" not in view.tags and not view.root_name.endswith("_inverse")


def _unlike_copy(view: Function, program: Program) -> Iterator[Diagnostic]:
    prefix = "" if view.namespace == "aten" else f"{view.namespace}::"
    overload = f".{view.name.overload}" if view.name.overload else ""
    copy = program.function(f"{prefix}{view.root_name}_copy{overload}")
    if copy is not None:
        related = (Related(copy.span, "the copy"),)
        message = f"'{view.name}' does not take and return the same as its copy '{copy.name}'"
        yield COPY_UNLIKE.at(places.name(view), message, related=related)
        yield from _untagged(view, copy)


def _untagged(view: Function, copy: Function) -> Iterator[Diagnostic]:
    if "view_copy" not in copy.tags and copy.root_name.endswith(("_copy", "_scatter")):
        message = f"'{copy.name}' is the copy of the view '{view.name}', but lacks the tag view_copy"
        fix = fixes.with_tag(copy, "view_copy")
        yield COPY_TAG.at(copy.span, message, "add it to 'tags'", fix=fix)
