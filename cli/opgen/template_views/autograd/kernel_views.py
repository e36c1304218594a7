"""Template views of the kernels of the autograd layers (src/autograd_*.cpp)."""

from __future__ import annotations

import dataclasses

from opgen.template_views.atoms import Cpp, Ident
from opgen.template_views.atoms_of import join
from opgen.template_views.autograd.forward import ForwardView
from opgen.template_views.autograd.saved import SavedView


@dataclasses.dataclass(frozen=True, slots=True)
class ViewOf:
    """`result`, or each of `several` results, is a view of the argument `base`."""

    result: Cpp
    base: Ident
    several: bool


@dataclasses.dataclass(frozen=True, slots=True)
class CallView:
    """How a kernel passes its arguments on. `result` is empty where nothing is returned; it is `_result`
    where it is what the call returned.
    """

    symbol: Ident
    struct: Ident
    returns: Cpp
    comma_params: Cpp
    comma_args: Cpp
    result: Cpp

    @property
    def returns_call(self) -> bool:
        return self.result == "_result"


@dataclasses.dataclass(frozen=True, slots=True)
class DirectView:
    """The path where nothing is recorded. `kind` is functional, inplace, detach, or out, which is checked
    instead of recorded. `tensors` are those that may be tracked, none where there is nothing to record.
    `below` is the kernel of the layer below where that does the rest. `guarded`: the operator's kernels may
    call others, which must not be tracked either; those of a view operator call view operators, and the views
    are the same when both are tracked. `own` is the kernel that makes a single view.
    """

    call: CallView
    kind: str
    tensors: Cpp
    guarded: bool
    written: tuple[Ident, ...]
    views: tuple[ViewOf, ...]
    own: Ident | None
    below: Ident | None = None

    def does_as(self, other: DirectView) -> bool:
        """Whether both do the same when nothing is recorded."""
        mine = (self.guarded, self.written, self.views, self.own)
        return mine == (other.guarded, other.written, other.views, other.own)

    @property
    def viewed(self) -> Ident | None:
        return self.views[0].base if self.views else None


@dataclasses.dataclass(frozen=True, slots=True)
class CheckedView:
    name: Ident
    literal: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class RecordedView:
    """The path where an argument is tracked. `kind` is functional, inplace or detach. `node` is None where
    the gradient is unknown. `inputs` are the arguments that require it. `results` are by their names in
    formulas; `recorded_results` are those with a gradient. `rebase` is the function that rebases the history
    of what is written to. No argument among `forbidden` may have a tangent. `by_items`: the operators that it
    calls for each tensor of a list can be recorded instead.
    """

    call: CallView
    kind: str
    node: Ident | None
    inputs: Cpp
    checked: tuple[CheckedView, ...]
    condition: Cpp | None
    condition_marker: Cpp
    lists: tuple[Ident, ...]
    saved: tuple[SavedView, ...]
    saved_results: tuple[SavedView, ...]
    results: tuple[Ident, ...]
    recorded_results: tuple[Ident, ...]
    written: tuple[Ident, ...]
    rebase: Ident
    below: Ident
    forward: tuple[ForwardView, ...]
    forbidden: Cpp
    by_items: bool

    @property
    def bindings(self) -> Cpp:
        return join(self.results)

    @property
    def variable(self) -> Ident:
        """Returns the variable that holds what the call returns."""
        return self.results[0] if len(self.results) == 1 else Ident("_result")

    @property
    def result(self) -> Cpp:
        return Cpp(self.variable) if self.call.returns_call else self.call.result


@dataclasses.dataclass(frozen=True, slots=True)
class KernelView:
    direct: DirectView
    recorded: RecordedView | None = None
