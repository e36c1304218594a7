"""The steps of a build: configure, compile, install into a staging folder, write the wheel, install it if
asked to.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from opgen.build import (
    compile_commands,
    compiler_errors,
    failures,
    installed,
    installing,
    run,
    sbom,
    signatures,
    timings,
)
from opgen.build.compiler_warnings import Warnings
from opgen.build.platform_tag import platform_tag
from opgen.build.progress import Progress, clock
from opgen.build.run import BuildOptions
from opgen.build.toolchain import Toolchain, ToolchainError
from opgen.build.wheel import WheelSpec, write_wheel
from opgen.diagnostics import shown
from opgen.locks import locked

_SHOWN = 5
_COMMANDS = "help: -v shows the commands"


@dataclasses.dataclass(frozen=True, slots=True)
class Product:
    """What is built: the generated `tree` of the library `name`; `extend` names the installed library it
    extends.

    `origins` says where the hand-written files of the tree lie, `find` where a function is defined in them;
    `sources`, where opgen's own are, which are compiled in place. `license` is that of the whole, as an SPDX
    expression; opgen's own, for its runtime and what it generates, is in every tree. `extras` of the wheel
    are pairs of a name and a requirement.
    """

    name: str
    version: str
    tree: Path
    extend: str | None = None
    origins: failures.Origins = failures.NOWHERE
    find: signatures.Find = lambda name: ()
    sources: Path | None = None
    license: str = ""
    extras: tuple[tuple[str, str], ...] = ()


def build(
    product: Product,
    build: Path,
    tools: Toolchain,
    options: BuildOptions,
    *,
    install: bool,
    progress: Progress | None = None,
) -> int:
    """Compiles the tree of `product` in `build` and writes dist/*.whl. Raises ToolchainError.

    Holds the locks of the build folder and the tree.
    """
    progress = progress or Progress()

    def say(text: str) -> None:
        progress.say(f"opgen: {text}")

    with locked(product.tree, shared=True, say=say) as reading, locked(build, say=say) as writing:
        for lock in (reading, writing):
            if lock is not None:
                os.set_inheritable(lock, True)  # inherited by the guard process, which may outlive this one
        _build(product, build, tools, options, progress)
        if options.python:
            wheel = make_wheel(product, build, tools)
            say(shown(str(wheel)))
            if install:
                installing.install(wheel, product.name, progress)
    return 0


def _build(
    product: Product, build: Path, tools: Toolchain, options: BuildOptions, progress: Progress
) -> None:
    tree = product.tree.resolve()
    is_first = not (build / "CMakeCache.txt").is_file()
    progress.say(f"opgen: configuring {shown(str(build))}")
    run.configure(tree, build, tools, options, _prefixes(product), product.sources)
    compile_commands.write(build.resolve(), Path.cwd(), failures.hand_written(tree, product.origins))
    progress.say(f"opgen: compiling with {tools.compilers}")
    if is_first and (dropped := without_cuda(product)):
        progress.say(f"opgen: note: {dropped}")
    steps = _compile(product, tree, build, tools, options, progress)
    took = clock(progress.elapsed)
    progress.say(f"opgen: {steps} build steps in {took}" if steps else "opgen: nothing to compile")


def _compile(
    product: Product, tree: Path, build: Path, tools: Toolchain, options: BuildOptions, progress: Progress
) -> int:
    """Compiles and returns the number of steps; reports compiler warnings and, if asked for, the longest
    steps.
    """
    warnings = Warnings(tree, product.origins)

    def heed(printed: str) -> None:
        if text := warnings.of(printed):
            progress.warn(text)

    before = timings.read(build) if options.timings else set()
    try:
        return run.compile_tree(build, tools, options, progress, heed)
    except ToolchainError as error:
        text = failures.explain(str(error), tree, product.origins, product.find)
        folders = [tree / "include" / product.name, *_installed_headers(product)]
        help = [*compiler_errors.headers(str(error), folders), *([] if progress.verbose else [_COMMANDS])]
        raise ToolchainError("\n".join([text, *help])) from None
    finally:
        if options.timings:
            for line in timings.table(timings.read(build) - before):
                progress.warn(f"opgen: {line}" if line.endswith(":") else line)


def without_cuda(product: Product) -> str:
    """Returns a note on the operators of an extension that declare CUDA kernels, where it is compiled for the
    CPU only, and on how they get them.
    """
    record = failures.read_record(product.tree)
    places = record.get("without_cuda", {})
    names = [f"{name} ({product.origins.find_place(place)})" for name, place in places.items()]
    if not names:
        return ""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    library = str(product.extend)
    help = "--backend cuda compiles them"
    if installed.without_cuda(library) is not None:
        help = f"the installed {library} has none; once it is built with --backend cuda, so are they"
    return f"without CUDA kernels for {', '.join(names[:_SHOWN])}{more}: {help}"


def _installed_headers(product: Product) -> list[Path]:
    """Returns the folder of the headers of the library to extend."""
    return [prefix / "include" / str(product.extend) for prefix in _prefixes(product)]


def _prefixes(product: Product) -> list[Path]:
    """Returns where CMake finds the library to extend: its installed Python package."""
    if product.extend is None:
        return []
    folder = installed.package(product.extend)
    if folder is None:
        raise ToolchainError(installed.missing(product.extend))
    return [folder]


def make_wheel(product: Product, build: Path, tools: Toolchain) -> Path:
    """Writes dist/NAME-VERSION-...whl and returns its path; keeps the existing wheel if its inputs are
    unchanged.
    """
    spec = _spec(product, build)
    dist = Path("dist")
    target = dist / spec.file_name
    record = build / ".opgen-wheel"
    if record.is_file() and record.read_text() == _made_of(product, build, target):
        return target
    record.unlink(missing_ok=True)
    stage = build / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    run.install(build, stage, tools)
    contents = dict(_wheel_contents(product, stage))
    bill = _bill_of_materials(product, build, contents)
    write_wheel(spec, contents.items(), dist, {f"sboms/{product.name}.cdx.json": bill})
    with contextlib.suppress(OSError):  # without this record the wheel is written again, with the same bytes
        record.write_text(_made_of(product, build, target))
    for other in dist.glob(f"{spec.name}-{spec.version}-*.whl"):
        if other != target:  # a wheel for a platform that the library needed before
            other.unlink()
    return target


def _spec(product: Product, build: Path) -> WheelSpec:
    return WheelSpec(
        product.name,
        product.version,
        f"{product.name}: a tensor library generated by opgen",
        platform_tag(_built_objects(product, build)),
        license=product.license,
        license_files={"opgen/LICENSE": (product.tree / "LICENSE").read_bytes()},
        extras=product.extras,
    )


def _made_of(product: Product, build: Path, wheel: Path) -> str:
    """Returns the wheel and its inputs, as they are now. Ninja's log has every step that ran, including those
    of a killed build; CMake makes Ninja rewrite it, in any order.
    """
    log = build / ".ninja_log"
    steps = sorted(log.read_bytes().splitlines()) if log.is_file() else []
    extras = [f"{name}:{requirement}".encode() for name, requirement in product.extras]
    inputs = [(product.tree / "manifest.json").read_bytes(), *steps, *extras]
    made_of = hashlib.sha256(b"\n".join(inputs)).hexdigest()
    made = f"{wheel.absolute()} {wheel.stat().st_mtime_ns}" if wheel.is_file() else ""
    return f"{made}\n{made_of}\n"


def _built_objects(product: Product, build: Path) -> list[Path]:
    return [*build.glob(f"lib{product.name}*.so"), *(build / "python" / product.name).glob("*.so")]


def _bill_of_materials(product: Product, build: Path, contents: Mapping[str, Path]) -> bytes:
    inputs = json.loads((product.tree / "manifest.json").read_bytes()).get("inputs", "")
    objects = {path: file for path, file in contents.items() if path.endswith(".so")}
    return sbom.bill(sbom.Subject(product.name, product.version, inputs), sbom.compilers(build), objects)


def _wheel_contents(product: Product, stage: Path) -> Iterator[tuple[str, Path]]:
    """Yields the package's files: Python, the module, and lib/ and include/ as installed by CMake."""
    name = product.name
    package = product.tree / "python" / name
    for folder, prefix in (
        (package, name),
        (stage / "python" / name, name),
        (stage / "lib", f"{name}/lib"),
        (stage / "include", f"{name}/include"),
    ):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield f"{prefix}/{file.relative_to(folder).as_posix()}", file
