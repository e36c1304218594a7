"""The hand-written half of a library: which files it contains, their paths in the generated tree, and how
they are compiled.

A kernel file includes exactly the `<ATen/ops/*.h>` headers it defines (`_native.h`) and calls, and
`<ATen/TensorOperators.h>` where it writes `a + b`, so the includes say which files a selection of operators
needs, and which operators those files need in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from opgen.template_views import atoms
from opgen.template_views.source import USER_FOLDER, Source

HEADER_SUFFIXES = (".h", ".cuh")
SOURCE_SUFFIXES = (".cpp", ".cu")
# Headers that extensions include: functors, their math functions, and the functions of formulas.
_SHARED_HEADER = re.compile(r"ops/(math/.*|\w+/functors/.*|\w+/functors\.h|\w+/formulas\.h)")
_FORMULA_SOURCE = re.compile(r"ops/\w+/formulas(_\w+)?\.cpp")
_FORMULA_INCLUDE = re.compile(rb"<ATen/native/(\w+/)?formulas\.h>")
_OP_INCLUDE = re.compile(rb"^\s*#\s*include\s*<ATen/ops/(\w+?)(_native|_meta|_ops|)\.h>", re.MULTILINE)
_DEFINE = re.compile(rb"\bDEFINE_DISPATCH\s*\(\s*(\w+)")
# A definition at the beginning of a line, as all in a namespace are; and any call.
_FUNCTION = re.compile(rb"^(?!static|return)[A-Za-z_][\w:<>, &*]*[ &*](\w+)\(", re.MULTILINE)
_CALL = re.compile(rb"(\w+)\(")
_STUB_CALL = re.compile(rb"\b(\w+_stub)\(")
_REGISTER = re.compile(rb"\bREGISTER_\w*DISPATCH\s*\(\s*(\w+)")


_Place = Callable[[str], tuple[str, str]]  # a path below a folder -> its place in the tree, and its group


class UnusableName(Exception):
    """A kernel file whose name can't be used in the generated tree."""


def runtime_sources(share: Path, name: str) -> list[Source]:
    """Returns all hand-written files that opgen ships, mapped to their paths in the tree of the library
    `name`.
    """
    include = f"include/{name}"
    found: list[Source] = [_license(share)]
    found += _folder(
        share,
        "core/cmake",
        lambda rel: (rel if rel == "CMakeLists.txt" else f"cmake/{rel}", ""),
        skip=("extension/",),
    )
    found += _folder(share, "core", lambda rel: _code(rel, include, "src/core", "CORE"), skip=("cmake/",))
    native = f"{include}/ATen/native"
    found += _folder(share, "ops", lambda rel: _code(rel.removeprefix("runtime/"), native, "src/ops", "OPS"))
    found += _folder(share, "cpu", lambda rel: _code(rel, f"{native}/cpu", "src/cpu", "CPU"))
    found += _folder(share, "cuda", lambda rel: _cuda(rel, include))
    found += _folder(share, "python/bindings", lambda rel: (f"python/bindings/{rel}", ""))
    found += _folder(share, "python/aten", lambda rel: (f"python/{name}/{rel}", ""))
    return found


def extension_sources(share: Path) -> list[Source]:
    """Returns the files of opgen that an extension needs: the headers of functors and formulas, to find names
    in and to include where they are installed, and its CMake files.
    """
    headers = [s for s in runtime_sources(share, "") if _SHARED_HEADER.fullmatch(s.origin)]
    places = {
        "core/cmake/cuda.cmake": "cmake/cuda.cmake",
        "core/cmake/extension/CMakeLists.txt": "CMakeLists.txt",
        "core/cmake/hardening.cmake": "cmake/hardening.cmake",
        "core/cmake/kinds.cmake": "cmake/kinds.cmake",
    }
    made = [_source(share / origin, origin, path, "") for origin, path in places.items()]
    return [_license(share), *headers, *made]


def _license(share: Path) -> Source:
    """Returns opgen's license, with which its runtime and generated code have to be distributed."""
    return _source(share / "LICENSE", "LICENSE", "LICENSE", "")


def user_sources(folders: Sequence[Path], name: str) -> list[Source]:
    """Returns the files of a project's kernel folders; their headers are included by their path inside the
    folder.
    """
    found: list[Source] = []
    for folder in folders:
        for file in _walk(folder):
            rel = file.relative_to(folder).as_posix()
            path, group = _user(rel, f"include/{name}")
            if path:
                _require_usable(file, path)
                found.append(_source(file, f"{folder.name}/{rel}", path, group))
    return found


def _require_usable(file: Path, path: str) -> None:
    """Rejects names that are not valid in both CMake files and `#include` lines."""
    try:
        atoms.Path(path)
    except ValueError:
        allowed = "letters, digits and any of _ + . - only"
        raise UnusableName(f"{str(file)!a}: the names of kernel files hold {allowed}") from None


def _user(rel: str, include: str) -> tuple[str, str]:
    if rel.endswith(HEADER_SUFFIXES):
        return f"{include}/{rel}", ""
    if rel.endswith(".cu"):
        return f"{USER_FOLDER}{rel}", "CUDA"
    if rel.endswith(".cpp"):
        return f"{USER_FOLDER}{rel}", "SIMD" if "simd/" in rel else "CPU"
    return "", ""


def _code(rel: str, include: str, source: str, group: str) -> tuple[str, str]:
    if rel.endswith(HEADER_SUFFIXES):
        return f"{include}/{rel}", ""
    return f"{source}/{rel}", "SIMD" if "simd/" in rel else group


def _cuda(rel: str, include: str) -> tuple[str, str]:
    if rel == "CMakeLists.txt":
        return "cuda/CMakeLists.txt", ""
    if rel.endswith(HEADER_SUFFIXES):
        inside = rel if rel.startswith(("c10/", "ATen/")) else f"ATen/native/cuda/{rel}"
        return f"{include}/{inside}", ""
    return f"src/cuda/{rel}", "CUDA"


def _folder(share: Path, folder: str, place: _Place, skip: tuple[str, ...] = ()) -> Iterator[Source]:
    root = share / folder
    for file in _walk(root):
        rel = file.relative_to(root).as_posix()
        if rel.startswith(skip) if skip else False:
            continue
        path, group = place(rel)
        yield _source(file, f"{folder}/{rel}", path, group)


def _walk(root: Path) -> Iterator[Path]:
    keep = (*HEADER_SUFFIXES, *SOURCE_SUFFIXES, ".py", ".pyi", ".typed", ".txt", ".cmake", ".in", ".map")
    for file in sorted(root.rglob("*")):
        if file.is_file() and file.suffix in keep and "__pycache__" not in file.parts:
            yield file


def _source(file: Path, origin: str, path: str, group: str) -> Source:
    content = file.read_bytes()
    if not path.startswith(("src/", "include/", "python/bindings/")):
        return Source(origin, path, group, content)
    found = _OP_INCLUDE.findall(content) if b"<ATen/ops/" in content else ()
    includes = [(stem.decode(), suffix.decode()) for stem, suffix in found]
    stubs = group and b"_DISPATCH" in content
    formulas = group and _FORMULA_INCLUDE.search(content) is not None
    helpers = _FUNCTION.findall(content) if formulas and _FORMULA_SOURCE.fullmatch(origin) else ()
    here = ("_native", "_meta") if group else ()  # a header only declares
    return Source(
        origin,
        path,
        group,
        content,
        defines=frozenset(stem for stem, suffix in includes if suffix in here),
        calls=frozenset(stem for stem, suffix in includes if suffix not in here),
        metas=frozenset(stem for stem, suffix in includes if suffix in here and suffix == "_meta"),
        stubs=frozenset(name.decode() for name in _DEFINE.findall(content)) if stubs else frozenset(),
        registers=frozenset(name.decode() for name in _REGISTER.findall(content)) if stubs else frozenset(),
        stub_calls=frozenset(name.decode() for name in _STUB_CALL.findall(content)) if group else frozenset(),
        helpers=frozenset(name.decode() for name in helpers),
        uses=frozenset(name.decode() for name in _CALL.findall(content)) if formulas else frozenset(),
    )


def close(
    sources: Iterable[Source],
    selected: Iterable[str],
    known: frozenset[str],
    called: Iterable[str] = (),
) -> tuple[list[Source], frozenset[str]]:
    """Returns the files with kernels of the `selected` operators (base names), and all operators those files
    call.

    A file without kernels belongs to every library; a file with functions for formulas only where one of them
    is called, possibly by a formula (`called`). A file that registers a kernel of a dispatch stub comes with
    the file that defines the stub, and the reverse; both come with one that calls the stub. `known` are the
    base names that have a declaration.
    """
    operators, helpers = set(selected), set(called)
    stubs: set[str] = set()
    taken: list[Source] = []
    rest = list(sources)
    while True:
        wanted = [
            s
            for s in rest
            if not (s.defines or s.registers or s.helpers)
            or s.defines & operators
            or (s.stubs | s.registers) & stubs
            or s.helpers & helpers
        ]
        if not wanted:
            return taken, frozenset(operators)
        for source in wanted:
            rest.remove(source)
            taken.append(source)
            operators |= source.calls & known
            stubs |= source.stubs | source.registers | source.stub_calls
            helpers |= source.uses
