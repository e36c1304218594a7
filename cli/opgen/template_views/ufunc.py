"""Template views of the kernels made from functors: `ufunc_inner_loop` on a structured out entry
(src/ufunc*).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from opgen.api import structured
from opgen.model.function import Function, Group, UfuncKey
from opgen.model.types import TENSOR
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident, Path
from opgen.template_views.atoms_of import atoms, comma, join
from opgen.template_views.page import Page
from opgen.template_views.shards import shard, shard_count
from opgen.template_views.source import Source

# The dtypes for which loops are generated.
CPP_TYPES = {
    "Bool": "bool",
    "Byte": "uint8_t",
    "Char": "int8_t",
    "Short": "int16_t",
    "Int": "int32_t",
    "Long": "int64_t",
    "Half": "c10::Half",
    "BFloat16": "c10::BFloat16",
    "Float": "float",
    "Double": "double",
    "ComplexFloat": "c10::complex<float>",
    "ComplexDouble": "c10::complex<double>",
}
_LOOPS_PER_FILE = {"CPU": 24, "CUDA": 12}  # nvcc takes five times as long per loop
_FUNCTOR = re.compile(rb"\b(\w+)\s*\(\s*T\s+\w+[,)]")
_IN_ORDER = {
    "CPU": (UfuncKey.CPUScalar, UfuncKey.ScalarOnly, UfuncKey.Generic),
    "CUDA": (UfuncKey.CUDAFunctor, UfuncKey.ScalarOnly, UfuncKey.Generic),
}


@dataclasses.dataclass(frozen=True, slots=True)
class LoopView:
    """One functor on some dtypes; `condition` free: the dtypes of the loops of one operator do not
    overlap.
    """

    functor: Ident
    dtypes: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class UfuncView:
    """One operator; `scalars` are the Scalar arguments, which the loop captures converted to the compute
    type; `has_list` is true where a `_foreach_` operator applies it to lists.
    """

    name: Ident
    arity: int
    has_list: Ident
    loops: tuple[LoopView, ...]
    scalars: tuple[Ident, ...]
    comma_scalar_types: Cpp
    comma_scalar_params: Cpp
    comma_scalars: Cpp
    scalar_values: Cpp
    lambda_params: Cpp
    lambda_args: Cpp
    impl: Ident
    impl_params: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class UfuncFileView:
    template: Cpp
    functor_headers: tuple[Path, ...]
    includes: tuple[Ident, ...]
    ufuncs: tuple[UfuncView, ...]


class MissingFunctor(Exception):
    """No header of the functor folders defines the functor that an entry names."""


def ufunc_view(group: Group, backend: str, lists: Collection[str]) -> UfuncView:
    function = group.out
    arguments = function.schema.arguments.non_out
    tensors = [a.name for a in arguments if a.type == TENSOR]
    scalars = [a.name for a in arguments if a.type != TENSOR]
    kernel = function.kernel(backend)
    assert kernel is not None
    return UfuncView(
        name=Ident(f"ufunc_{names.struct(function)}"),
        arity=len(tensors),
        has_list=Ident("true" if names.base(function) in lists else "false"),
        loops=tuple(_loops(function, backend)),
        scalars=tuple(map(Ident, scalars)),
        comma_scalar_types=comma(", ".join("const c10::Scalar&" for _ in scalars)),
        comma_scalar_params=comma(", ".join(f"const c10::Scalar& {s}" for s in scalars)),
        comma_scalars=comma(", ".join(scalars)),
        scalar_values=join(f"{s}.to<ufunc_scalar_t<T>>()" for s in scalars),
        lambda_params=join(f"T {t}" for t in tensors),
        lambda_args=join([*tensors, *(f"_{s}" for s in scalars)]),
        impl=Ident(structured.impl_name(kernel)),
        impl_params=atoms(structured.impl_signature(group)).params,
    )


def _loops(function: Function, backend: str) -> list[LoopView]:
    """Returns a loop for each functor with dtypes, whichever keys name it."""
    by_functor: dict[str, list[str]] = {}
    taken: set[str] = set()
    for key in _IN_ORDER[backend]:
        loop = function.ufunc_inner_loop.get(key)
        if loop is not None:
            dtypes = [d for d in loop.dtypes if d not in taken and d in CPP_TYPES]
            taken.update(dtypes)
            by_functor.setdefault(loop.name, []).extend(CPP_TYPES[d] for d in dtypes)
    return [LoopView(Ident(name), join(types)) for name, types in by_functor.items() if types]


def functor_index(sources: Iterable[Source]) -> dict[str, str]:
    """Returns the header of each functor, as it is included; headers of the user's folders precede shipped
    ones.
    """
    index: dict[str, str] = {}
    for source in sources:
        if source.group == "" and source.path.endswith(".h"):
            include = source.path.split("/", 2)[2] if source.path.startswith("include/") else source.path
            for match in _FUNCTOR.findall(source.content):
                index.setdefault(match.decode(), include)
    return index


def ufunc_pages(
    groups: Iterable[Group], functors: Mapping[str, str], backend: str, lists: Collection[str] = ()
) -> Iterator[Page]:
    """`lists`: the base names of operators that lists have, too."""
    chosen = [g for g in groups if g.out.ufunc_inner_loop and g.out.has_kernel(backend)]
    if not chosen:
        return
    lower = backend.lower()
    # On the CPU the loops are behind stubs, one per CPU capability; on CUDA each exists once.
    middle = "" if backend == "CPU" else f"_{lower}"
    yield _file(chosen, functors, backend, f"src/ufunc{middle}.cpp.mako", f"src/ufunc_{lower}.cpp", lists)
    template = f"src/ufunc_{lower}.mako"
    suffix = "cpp" if backend == "CPU" else "cu"
    for name, part in _by_header(chosen, functors, backend):
        yield _file(part, functors, backend, template, f"src/ufunc_{lower}_{name}.{suffix}", lists)


def _by_header(
    groups: Iterable[Group], functors: Mapping[str, str], backend: str
) -> Iterator[tuple[str, list[Group]]]:
    """Yields files of loops with their names: each is for the functors of one header, so that a change there
    recompiles little else.
    """
    by_stem: dict[str, list[Group]] = {}
    for group in groups:
        header = PurePosixPath(_headers(group, functors, backend)[0])
        stem = header.parent.name if header.name == "functors.h" else header.stem
        by_stem.setdefault(stem, []).append(group)
    for stem, chosen in sorted(by_stem.items()):
        count = shard_count(len(chosen), _LOOPS_PER_FILE[backend])
        for index, part in enumerate(shard(chosen, lambda g: names.base(g.out), count)):
            if part:
                yield (stem if count == 1 else f"{stem}_{index}"), part


def _headers(group: Group, functors: Mapping[str, str], backend: str) -> list[str]:
    """Returns the headers of an operator's functors, that of its first loop first."""
    loops = _loops(group.out, backend)
    missing = next((loop.functor for loop in loops if loop.functor not in functors), None)
    if missing is not None:
        raise MissingFunctor(f"{group.out.qualified_name}: {missing}")
    return [functors[loop.functor] for loop in loops]


def _file(
    groups: Sequence[Group],
    functors: Mapping[str, str],
    backend: str,
    template: str,
    path: str,
    lists: Collection[str],
) -> Page:
    headers = {header for group in groups for header in _headers(group, functors, backend)}
    view = UfuncFileView(
        Cpp(template),
        tuple(map(Path, sorted(headers))),
        tuple(Ident(b) for b in sorted({names.base(g.out) for g in groups})),
        tuple(ufunc_view(g, backend, lists) for g in groups),
    )
    return Page(path, template, view)
