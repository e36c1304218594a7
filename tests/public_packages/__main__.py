"""Runs public packages for PyTorch without it, and compares what they compute with PyTorch.

python tests/public_packages PYTHON [--results FOLDER] [--only TEXT] [--again]

PYTHON has transformers, timm, einops, torchvision, safetensors and numpy, but not PyTorch; nothing is
installed. The interpreter that runs this has PyTorch, and this library, and imports the packages from
PYTHON's folder. Results are kept in FOLDER, so that a further run goes on where one ended; --again forgets
those of this library. The table is printed, and the exit status is 0 if all agree.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from importlib import metadata, util
from pathlib import Path

import architectures
import functions

HERE = Path(__file__).resolve().parent
# Losses, gradients and values in float32, in units of the largest element.
TOLERANCE = 1e-3


def cases() -> list[str]:
    """The names of all cases."""
    models = [f"transformers {name}" for lines in architectures.TRANSFORMERS.values() for name, *_ in lines]
    models += [f"timm {name}" for name in architectures.TIMM]
    models += [f"torchvision {name}" for name in architectures.TORCHVISION]
    return [*functions.CASES, *models]


def place(folder: Path, name: str) -> Path:
    """Where a case's results are."""
    return folder / name.replace(" ", "-").replace("/", "-")


def packages(python: str) -> str:
    """The folder of the packages of an interpreter."""
    command = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def run(folder: Path, library: str, names: list[str], python: str, path: str) -> None:
    """Runs the cases that have no result, in processes that go on after one that ended in a case."""
    environment = {**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error"}
    while True:
        left = [n for n in names if not (place(folder, n) / f"{library}.json").exists()]
        if not left:
            return
        command = [python, str(HERE / "package_child.py"), str(folder), library, *left]
        ended = subprocess.run(command, env=environment, check=False).returncode
        begun = [n for n in left if (place(folder, n) / f"{library}.started").exists()]
        died = [n for n in begun if not (place(folder, n) / f"{library}.json").exists()]
        if not begun:
            raise SystemExit(f"{python} can't run the cases: exit status {ended}")
        for name in died:
            text = json.dumps({"error": f"the process ended with status {ended}"})
            (place(folder, name) / f"{library}.json").write_text(text)


def outcome(folder: Path, name: str) -> tuple[bool, str]:
    """Whether a case agrees, and the text for it."""
    theirs, ours = (
        json.loads((place(folder, name) / f"{library}.json").read_text()) for library in ("pytorch", "aten")
    )
    if "error" in theirs:
        return False, f"PyTorch: {theirs['error']}"
    if "error" in ours:
        return False, str(ours["error"])
    agrees = ours["off"] <= TOLERANCE
    return agrees, f"{ours['off']:.0e}" if agrees else f"{ours['worst']} differs by {ours['off']:.1e}"


def main() -> int:
    """Runs the campaign, and prints its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("python", help="an interpreter with the packages")
    parser.add_argument("--results", type=Path, default=Path("results") / "public_packages")
    parser.add_argument("--only", default="", help="cases that have this text in their names")
    parser.add_argument("--again", action="store_true", help="forget this library's results of the cases")
    given = parser.parse_args()
    names = [name for name in cases() if given.only in name]
    found = util.find_spec("aten")
    if found is None or found.origin is None or util.find_spec("torch") is None:
        raise SystemExit(f"{sys.executable} must have PyTorch and this library")
    if given.again:
        for name in names:
            for suffix in ("json", "started", "txt"):
                (place(given.results, name) / f"aten.{suffix}").unlink(missing_ok=True)
    folder = packages(given.python)
    run(given.results, "pytorch", names, sys.executable, folder)
    run(given.results, "aten", names, given.python, str(Path(found.origin).parents[1]))
    results = {name: outcome(given.results, name) for name in names}
    versions = {d.metadata["Name"]: d.version for d in metadata.distributions(path=[folder])}
    print(f"| case | largest difference from PyTorch {metadata.version('torch')}, or the error |\n|---|---|")
    for name, (_, text) in results.items():
        package, _, rest = name.partition(" ")
        print(f"| {package} {versions[package]}: {rest} | {text} |")
    print(f"\n{sum(agrees for agrees, _ in results.values())} of {len(results)} agree")
    return 0 if all(agrees for agrees, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
