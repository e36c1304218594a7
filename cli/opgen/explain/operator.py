"""Everything about an operator: its names, its forms, and where each of its kernels is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from opgen.api import python_names
from opgen.api.python_names import Extension
from opgen.expand import registrations
from opgen.explain import derivatives
from opgen.explain.chain import Chains
from opgen.explain.kernel_index import Definition, KernelIndex
from opgen.model import Function, Group, Program, UfuncKey
from opgen.model.function import Generated


def describe(
    function: Function, program: Program, index: KernelIndex, chains: Chains, extension: Extension | None
) -> str:
    """Describes a function; of an extension's with the names in its Python package."""
    namespace = "" if function.namespace == "aten" else f"{function.namespace}::"
    lines = [f"{namespace}{function.schema}"]
    said = program.said.get(function.qualified_name)
    if said is not None:
        names = [result.name for result in function.schema.returns]
        lines += [f"  {line}".rstrip() for line in [*said.lines(), *said.sections(names)]]
        lines += [""] if said.has_details else []
    lines.append(f"  declared   {program.path}:{function.line}")
    if isinstance(function.origin, Generated):
        lines[-1] = f"  generated  from '{function.origin.parent}', {program.path}:{function.line}"
    lines.append(f"  kind       {function.kind.value}")
    python = extension.names(function, program) if extension else python_names.of(function)
    lines.append(f"  Python     {', '.join(python)}")
    group = program.group_of.get(function.qualified_name)
    if group is not None:
        others = ", ".join(str(f.name) for f in group.functions() if f is not function)
        lines.append(f"  forms      {others}")
    if function.tags:
        lines.append(f"  tags       {', '.join(sorted(function.tags))}")
    lines.append("  kernels")
    lines += [f"    {row}" for row in _kernels(function, program, group, index)]
    tree = chains.of(function)
    if tree.leads_on():
        lines += ["  chain", *chains.lines(tree)]
    formulas = list(derivatives.describe(function, program, chains.called(tree)))
    if formulas:
        lines += ["  derivative", *(f"    {row}" for row in formulas)]
    checks = program.checks.of.get(function.qualified_name, ()) if program.checks is not None else ()
    if checks:
        lines += ["  checks", *(f"    {check}" for check in checks)]
    casts = program.autocast.of.get(function.qualified_name, {}) if program.autocast is not None else {}
    if casts:
        lines += ["  autocast", *(f"    {key}: {entry.cast.value}" for key, entry in casts.items())]
    return "\n".join(lines) + "\n"


def _kernels(function: Function, program: Program, group: Group | None, index: KernelIndex) -> Iterator[str]:
    found = registrations.of(function, program)
    if not found:
        yield "none"
    structured = group is not None and group.structured
    for key, registration in found.items():
        if registration.kernel is None:
            where = _meta(group, index) if registration.what == "structured meta" else []
        else:
            name = registration.kernel.rpartition("::")[2]
            where = _definitions(
                name, group if structured else None, registration.what == "structured", index
            )
        yield f"{key}: {registration.shown}{_shown(where)}"


def _shown(where: list[Definition]) -> str:
    return "".join(f"\n      {definition}" for definition in where)


def _definitions(name: str, group: Group | None, structured: bool, index: KernelIndex) -> list[Definition]:
    if not structured:
        return index.function(name)
    assert group is not None
    for key in (UfuncKey.Generic, UfuncKey.ScalarOnly):
        loop = group.out.ufunc_inner_loop.get(key)
        if loop is not None and name.startswith("ufunc_"):
            found = index.function(loop.name)
            # Other functions have short names such as `add`, too; functors lie in their own folders.
            return [d for d in found if "functors" in (*d.path.parts, d.path.stem)] or found
    return index.macro("TORCH_IMPL_FUNC", name)


def _meta(group: Group | None, index: KernelIndex) -> list[Definition]:
    assert group is not None
    name = group.functional.name
    found = index.macro("TORCH_(?:META|PRECOMPUTE_META)_FUNC", str(name.name)) if not name.overload else []
    return found or index.macro("TORCH_(?:META|PRECOMPUTE_META)_FUNC2", str(name.name), name.overload)


def kernel_folders(share: Path, own: tuple[Path, ...]) -> list[Path]:
    """Returns the folders of kernels, the user's before opgen's."""
    return [*own, *(share / name for name in ("ops", "cpu", "cuda"))]
