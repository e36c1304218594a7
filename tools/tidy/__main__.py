"""Is C++ written as CONTRIBUTING says? `make tidy` runs clang-tidy after `make build`.

python -m tools.tidy checks all files, python -m tools.tidy PATH ... those files and what is in those folders.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from . import checking
from .units import BUILD, units


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.tidy", description=__doc__)
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="a file or folder, as seen from the repository"
    )
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tool = shutil.which("clang-tidy", path=str(Path(sys.executable).parent))
    if tool is None:
        sys.exit("tidy: there is no clang-tidy beside this Python; `make lint` installs it")
    if not (BUILD / "compile_commands.json").exists():
        sys.exit(f"tidy: {BUILD} has no compile_commands.json; `make build` writes it")
    paths = [path.rstrip("/") for path in options.paths]
    chosen = [unit for unit in units() if checking.has_any(unit.sources, paths)]
    if not chosen:
        sys.exit(f"tidy: nothing that is compiled is in {', '.join(paths)}")
    findings = checking.findings(tool, chosen, paths, options.jobs)
    print(*findings, sep="\n", end="\n" * bool(findings))
    sources = sum(len(unit.sources) for unit in chosen)
    print(f"tidy: {len(findings)} findings in {sources} sources and their headers")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
