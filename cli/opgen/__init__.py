"""opgen: operator declarations in, a standalone tensor library out."""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing, whose import takes a while, in which no command catches Ctrl-C
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
) -> Table:
    """The computed dispatch table of `op`, such as `add.Tensor`: what `opgen dispatch` prints.

    `file` is a native_functions.yaml or the folder that has one; by default `schemas/` here, else opgen's
    own. `register` names keys that have kernels besides those of the file, or, with `only`, in place of them;
    `op` may then be a name that the file does not have.

    Raises LookupError for an unknown operator, ValueError for an unknown key, `opgen.pipeline.Invalid` for a
    file with errors, `opgen.diagnostics.InputError` for one that cannot be read.

    >>> opgen.dispatch_table("foo", register=["CPU", "CompositeImplicitAutograd"]).get("AutogradCUDA").kernel
    'fn_CompositeImplicitAutograd'
    """
    from pathlib import Path

    from opgen import locate, pipeline
    from opgen.explain import names, table

    keys = table.keys(register)
    program, report = pipeline.load(Path(file or locate.default_schemas()), Path(tags) if tags else None)
    if report.failed:
        raise pipeline.Invalid(report, program.path)
    function = program.function(op)
    if function is None and not keys:
        raise LookupError(names.unknown(op, program))
    return table.of(op, None if only else function, program, keys)
