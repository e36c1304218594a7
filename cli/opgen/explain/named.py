"""What `opgen explain` says of a name: of operators, or of a module or function of neural networks."""

from __future__ import annotations

from pathlib import Path

from opgen import locate
from opgen.api.python_names import Extension
from opgen.explain import chain, kernel_index, names, operator, python_layer, walk
from opgen.model import Program


class UnknownName(LookupError):
    """No operator, module or function has the name."""


def describe(
    name: str,
    program: Program,
    kernels: tuple[Path, ...],
    extension: Extension | None,
    depth: int | None = None,
    everything: bool = False,
) -> str:
    """Describes what has this name. Raises UnknownName."""
    share = locate.near(locate.share())
    package = python_layer.Package(share / "python" / "aten")
    found = names.find(name, program, extension)
    way = None if found else walk.Walk(name, package, program)
    if not found and not way:
        others = [f"nn.{module}" for module in package.modules]
        others += [f"{python_layer.FUNCTIONAL}{function}" for function in package.functions]
        raise UnknownName(names.unknown(name, program, others))
    index = kernel_index.KernelIndex(operator.kernel_folders(share, kernels))
    chains = chain.Chains(program, index, chain.DEPTH if depth is None else depth, everything)
    if way:
        return "\n".join(way.lines(chains, share)) + "\n"
    return "\n".join(operator.describe(f, program, index, chains, extension) for f in found)
