"""The kernels that a library registers for an operator, by dispatch key, including those that a structured
group implies.
"""

from __future__ import annotations

import dataclasses
from functools import cache

from opgen.expand.registrations import gets_in_place_meta, needs_backend_select
from opgen.model.checks import Check
from opgen.model.dispatch import STRUCTURED_KEYS, DispatchKey, is_cuda
from opgen.model.function import Function, Group, Kernel
from opgen.model.program import Program
from opgen.model.schema import Argument, Kind
from opgen.model.types import TENSOR

META = DispatchKey["Meta"]
BACKEND_SELECT = DispatchKey["BackendSelect"]
NON_FUNCTIONAL = DispatchKey["CompositeExplicitAutogradNonFunctional"]
AD_INPLACE_OR_VIEW = DispatchKey["ADInplaceOrView"]
# The usual keys of kernels of view operators.
OWN_KEYS = (DispatchKey["CompositeExplicitAutograd"], DispatchKey["CPU"])
# Backends whose kernels need their own toolchain; without it a library is generated without them.
FOREIGN = ("MPS", "XPU", "HPU", "MTIA", "XLA", "IPU", "VE", "Lazy", "MAIA", "HIP", "Vulkan", "Metal", "FPGA")


@dataclasses.dataclass(frozen=True, slots=True)
class Registration:
    """One row of the kernel table: `group` is set for a kernel made of a structured group's meta and impl
    functions; `checks` are those of the function.
    """

    function: Function
    key: DispatchKey
    kernel: Kernel | None
    group: Group | None = None
    checks: tuple[Check, ...] = ()

    @property
    def is_cuda(self) -> bool:
        return is_cuda(self.key)


def shown_by(function: Function) -> Argument | None:
    """Returns the argument that the single result of an operator is a view of."""
    returned = function.schema.returns[0].alias if len(function.schema.returns) == 1 else None
    if returned is None or returned.write or function.schema.returns[0].type != TENSOR:
        return None
    bases = (a for a in function.schema.arguments.all if a.type == TENSOR)
    return next((a for a in bases if a.alias is not None and returned.set[0] in a.alias.set), None)


def own_view_key(function: Function) -> DispatchKey | None:
    """Returns the key of the view operator's kernel that autograd's layers tail-call: it makes one view and
    marks it as one, so that nothing is left to do when it returns.
    """
    if shown_by(function) is None or function.manual_kernel_registration:
        return None
    return next((key for key in OWN_KEYS if key in (function.dispatch or {})), None)


@cache
def is_foreign(key: DispatchKey) -> bool:
    return any(str(key).endswith(backend) for backend in FOREIGN) or "Mkldnn" in str(key)


def registrations(program: Program, function: Function) -> list[Registration]:
    """Returns the rows of `function`, in the order of its keys."""
    if function.manual_kernel_registration:
        return []
    group = program.group_of.get(function.qualified_name) if function.part_of_structured_group else None
    rows: dict[DispatchKey, Registration] = {}
    if group is not None and group.structured:
        rows.update({row.key: row for row in _structured(function, group)})
    for key, kernel in (function.dispatch or {}).items():
        if key not in rows and not kernel.structured and not is_foreign(key):
            rows[key] = Registration(function, key, kernel)
    if gets_in_place_meta(function) and META not in rows:
        rows[META] = Registration(function, META, None)
    if needs_backend_select(function) and BACKEND_SELECT not in rows:
        rows[BACKEND_SELECT] = Registration(function, BACKEND_SELECT, None)
    checks = program.checks.of.get(function.qualified_name, ()) if program.checks is not None else ()
    return [dataclasses.replace(row, checks=checks) for row in rows.values()] if checks else [*rows.values()]


def _structured(function: Function, group: Group) -> list[Registration]:
    rows = []
    for key in STRUCTURED_KEYS:
        kernel = (group.out.dispatch or {}).get(key)
        if kernel is not None and not is_foreign(key):
            rows.append(Registration(function, key, kernel, group))
    rows.append(Registration(function, META, None, group))
    if function.kind is not Kind.out:
        rows.append(Registration(function, NON_FUNCTIONAL, None, group))
    return rows
