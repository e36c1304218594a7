"""The options of `build` alone, and what it passes to the driver."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from opgen import locate, pipeline
from opgen.build import machine
from opgen.build.toolchain import AUTO, LAUNCHERS, NONE
from opgen.commands import options

if TYPE_CHECKING:
    from opgen.build.driver import Product
    from opgen.explain.kernel_index import Definition


# A name and versions, without markers and addresses.
_EXTRA = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_REQUIREMENT = re.compile(r"[A-Za-z0-9]+([._-]+[A-Za-z0-9]+)*( *(==|>=|<=|!=|~=|<|>) *[A-Za-z0-9.*+!]+ *,?)*")


class Configured(options.Configured):
    table = "build"


def _capabilities(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """Returns the capabilities as a CMake list."""
    if value == "all":
        return ";".join(machine.CAPABILITIES)
    names = [name.strip() for name in value.split(",")] if value else [machine.cpu_capability()]
    for name in names:
        if name not in machine.CAPABILITIES:
            raise click.BadParameter(
                f"got {name!r}, expected all or some of {', '.join(machine.CAPABILITIES)}"
            )
    return ";".join(names)


def _architectures(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Returns a list of CMake's; "" is its default, for which no GPU is asked."""
    if value == "all":
        return machine.CUDA_ARCHITECTURES
    if not value and machine.has_nvidia_gpu():
        return "native"
    return value.replace(",", ";")


def _extras(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Returns pairs of an extra's name and a requirement."""
    pairs = []
    for value in values:
        name, _, requirement = (part.strip() for part in value.partition(":"))
        if not _EXTRA.fullmatch(name) or not _REQUIREMENT.fullmatch(requirement):
            raise click.BadParameter(f"got {value!r}, expected an extra as in plots:matplotlib>=3.9")
        pairs.append((name, requirement))
    return tuple(pairs)


_OPTIONS = (
    click.option("--build-dir", type=click.Path(path_type=Path), metavar="DIR", help="Default: build/NAME."),
    click.option(
        "--build-type", type=click.Choice(("Release", "RelWithDebInfo", "Debug")), default="Release",
        show_default=True,
    ),
    click.option(
        "--cuda-architectures", default="", metavar="LIST", callback=_architectures,
        help="all, for every GPU from Turing on; native, for this machine's; or as CMake's "
        "CMAKE_CUDA_ARCHITECTURES. Default: native where there is a GPU, else 75 with PTX for later ones.",
    ),
    click.option(
        "--cpu-capabilities", default="", metavar="LIST", callback=_capabilities,
        help="Copies of the vectorised kernels: all, for every processor, or some of default, avx2 and "
        "avx512. Default: the one that this machine runs.",
    ),
    click.option("-j", "--jobs", type=click.IntRange(1), help="Parallel compilations."),
    click.option("--no-python", is_flag=True, help="The C++ library alone."),
    click.option("--install", is_flag=True, help="Install the wheel into this Python environment."),
    click.option(
        "--launcher", type=click.Choice((AUTO, NONE, *LAUNCHERS)), default=AUTO, show_default=True,
        help="Compile through a cache or a cluster of compilers; auto takes ccache where it is installed.",
    ),
    click.option(
        "--extra", "extras", multiple=True, metavar="NAME:REQUIREMENT", callback=_extras,
        help="An extra of the wheel, which pip installs with it on request; may be given several times.",
    ),
    click.option("--timings", is_flag=True, help="Say at the end which files took longest to compile."),
    click.option("-q", "--quiet", is_flag=True, help="Only warnings and errors."),
    click.option("-v", "--verbose", is_flag=True, help="The commands that run, and all that they print."),
)  # fmt: skip


def arguments(command: Callable[..., int]) -> Callable[..., int]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def product(request: pipeline.Request, extras: tuple[tuple[str, str], ...] = ()) -> Product:
    from opgen.build.driver import Product
    from opgen.build.failures import Origins
    from opgen.explain.kernel_index import KernelIndex
    from opgen.explain.operator import kernel_folders

    def find(name: str) -> list[Definition]:
        shipped = request.extend is None
        folders = kernel_folders(locate.share(), request.kernels) if shipped else request.kernels
        return KernelIndex(folders).function(name)

    origins = Origins(request.origins, request.own_folders)
    sources = None if request.extend else locate.share()
    return Product(
        request.name, request.version, request.out, request.extend, origins, find, sources, request.license,
        extras,
    )  # fmt: skip


def left_out(request: pipeline.Request, capabilities: str) -> str:
    """Returns what the library lacks for other machines, and how to include it."""
    if request.extend:
        return ""
    kernels = set(capabilities.split(";")) < set(machine.CAPABILITIES)
    missing = (
        [f"kernels for other processors than {capabilities} (--cpu-capabilities all)"] if kernels else []
    )
    missing += [] if request.cuda else ["CUDA (--backend cuda)"]
    return f"for this machine; without {' and '.join(missing)}" if missing else ""


def generated(request: pipeline.Request, outcome: pipeline.Outcome) -> str:
    """Describes what was done to the tree."""
    if outcome.changes is None:
        return f"{request.out} is up to date"
    return f"{request.out}: {len(outcome.changes.written)} of {outcome.files} files changed"
