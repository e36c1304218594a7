"""opgen: operator declarations in, a standalone tensor library out."""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own, whose import takes long, and no command catches Ctrl-C during it
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from opgen.explain.table import Table

__version__ = "0.1.0"
__all__ = ["__version__", "dispatch_table"]


def dispatch_table(
    op: str,
    file: str | Path | None = None,
    *,
    tags: str | Path | None = None,
    register: Iterable[str] = (),
    only: bool = False,
    aten: bool = False,
) -> Table:
    """The computed dispatch table of `op`, such as `add.Tensor`: what `opgen dispatch` prints.

    `file` is a native_functions.yaml or the folder that has one; by default the one here, or with `aten` the
    one that opgen ships. `register` names keys that have kernels besides those of the file, or, with `only`,
    in place of them; `op` may then be a name that the file does not have, and there need be none.

    Raises LookupError for an unknown operator and for a name with several overloads, ValueError for an
    unknown key, `opgen.pipeline.Invalid` for a file with errors, `opgen.diagnostics.InputError` for one that
    cannot be read.

    >>> opgen.dispatch_table("foo", register=["CPU", "CompositeImplicitAutograd"]).get("AutogradCUDA").kernel
    'fn_CompositeImplicitAutograd'
    """
    from pathlib import Path

    from opgen import locate, pipeline
    from opgen.explain import names, table
    from opgen.model import Program

    keys = table.keys(register)
    file = file or (locate.shipped_schemas() if aten else locate.functions_here())
    if file is None and keys:
        return table.of(op, None, Program("", ()), keys)
    program, report = pipeline.load(Path(file or locate.default_functions()), Path(tags) if tags else None)
    if report.failed:
        raise pipeline.Invalid(report, program.path)
    found = names.exact(op, program)
    if len(found) > 1 or not (found or keys):
        raise LookupError(names.several(op, found) if found else names.unknown(op, program))
    return table.of(op, None if only or not found else found[0], program, keys)
