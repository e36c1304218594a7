"""`opgen build`: generate, compile, make a wheel."""

from __future__ import annotations

from pathlib import Path

import click

from opgen import pipeline
from opgen.commands import EXIT_TOOLCHAIN, formats, generating
from opgen.commands import options as shared
from opgen.diagnostics import shown

_CAPABILITIES = ("default", "avx2", "avx512")


def _capabilities(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """The list as CMake writes it."""
    names = [name.strip() for name in value.split(",")] if value else []
    for name in names:
        if name not in _CAPABILITIES:
            raise click.BadParameter(f"got {name!r}, expected some of {', '.join(_CAPABILITIES)}")
    return ";".join(names)


@click.command("build", cls=shared.Configured)
@generating.arguments
@click.option("--backend", type=click.Choice(("auto", "cpu", "cuda")), default="auto", show_default=True)
@click.option("--build-dir", type=click.Path(path_type=Path), metavar="DIR", help="Default: build/NAME.")
@click.option(
    "--build-type",
    type=click.Choice(("Release", "RelWithDebInfo", "Debug")),
    default="Release",
    show_default=True,
)
@click.option("--cuda-architectures", default="", metavar="LIST", help="As CMake's CMAKE_CUDA_ARCHITECTURES.")
@click.option(
    "--cpu-capabilities",
    default="",
    metavar="LIST",
    callback=_capabilities,
    help="Copies of the vectorised kernels, as in avx2,avx512. One builds sooner, and runs where "
    "the processor has it. Default: default,avx2,avx512.",
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Parallel compilations.")
@click.option("--no-python", is_flag=True, help="The C++ library alone.")
@click.option("--install", is_flag=True, help="Install the wheel into this Python environment.")
def command(
    backend: str,
    build_dir: Path | None,
    build_type: str,
    cuda_architectures: str,
    cpu_capabilities: str,
    jobs: int | None,
    no_python: bool,
    install: bool,
    **given: object,
) -> int:
    """Generate the library of FILE, compile it with its Python module, and put the wheel into dist/."""
    from opgen.build import driver
    from opgen.build.failures import Origins
    from opgen.build.run import BuildOptions
    from opgen.build.toolchain import Toolchain, ToolchainError

    try:
        tools = Toolchain.find(backend)
        request = generating.request(**given, cuda=tools.nvcc is not None)  # type: ignore[arg-type]
        outcome = generating.run(request)
        _say_generated(request, outcome)
        options = BuildOptions(jobs, build_type, not no_python, cuda_architectures, cpu_capabilities)
        product = driver.Product(
            request.name, request.version, request.out, request.extend, Origins(request.origins)
        )
        return driver.build(
            product, build_dir or Path("build") / request.name, tools, options, install=install
        )
    except ToolchainError as error:
        formats.say(f"opgen: {error}")
        return EXIT_TOOLCHAIN


def _say_generated(request: pipeline.Request, outcome: pipeline.Outcome) -> None:
    out = shown(str(request.out))
    if outcome.changes is None:
        formats.say(f"opgen: {out} is up to date")
    else:
        written = len(outcome.changes.written)
        formats.say(f"opgen: {out}: {written} of {outcome.files} files changed")
