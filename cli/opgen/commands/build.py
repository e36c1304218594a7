"""`opgen build`: generate, compile, make a wheel."""

from __future__ import annotations

from pathlib import Path

import click

from opgen.build.toolchain import Toolchain, ToolchainError
from opgen.commands import building, exit_codes, generating
from opgen.diagnostics import shown
from opgen.report import streams


@click.command("build", cls=building.Configured)
@generating.arguments
@building.arguments
def command(
    backend: str,
    build_dir: Path | None,
    build_type: str,
    cuda_architectures: str,
    cpu_capabilities: str,
    jobs: int | None,
    no_python: bool,
    install: bool,
    launcher: str,
    extras: tuple[tuple[str, str], ...],
    timings: bool,
    quiet: bool,
    verbose: bool,
    **given: object,
) -> int:
    """Generate the library of FILE, compile it with its Python module, and put the wheel into dist/."""
    from opgen.build import driver
    from opgen.build.progress import Progress
    from opgen.build.run import BuildOptions

    if quiet and verbose:
        raise click.UsageError("-q and -v exclude each other")
    progress = Progress(quiet, verbose)

    def say(text: str) -> None:
        progress.say(f"opgen: {shown(text)}")

    generating.require_installed(given["extend"], backend)
    try:
        request = generating.request(**given, backend=backend)  # type: ignore[arg-type]
        tools = Toolchain.find(backend if request.cuda else "cpu", launcher)
        say(building.generated(request, generating.run(request, say=say)))
        options = BuildOptions(jobs, build_type, not no_python, cuda_architectures, cpu_capabilities, timings)
        folder = build_dir or Path("build") / request.name
        product = building.product(request, extras)
        code = driver.build(product, folder, tools, options, install=install, progress=progress)
        if text := building.left_out(request, cpu_capabilities):
            say(text)
        return code
    except ToolchainError as error:
        streams.say(f"opgen: {error}")
        return exit_codes.TOOLCHAIN
