"""Kills `opgen generate` and `opgen build` at random moments: `make kill`, or
`python tests/cli/building/kill.py`.

After each the next run begins at once. It must end well, what it makes must be what an undisturbed run makes,
and once it is at work nothing of the killed one may be. A run that was killed itself goes on where it was.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from functools import cache, partial
from pathlib import Path

from opgen.render.manifest import Manifest

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests" / "tools"))
import campaign  # noqa: E402

GOLDEN = ROOT / "tests" / "golden"
TESTED = (ROOT / "cli" / "opgen", ROOT / "templates", GOLDEN)
MARK = "OPGEN_KILL_RUN"


def digests(folder: Path) -> dict[str, str]:
    """Returns the files of `folder` with their digests, without the manifest: it has the digest of opgen
    itself, which may be edited meanwhile.
    """
    files = [f for f in folder.rglob("*") if f.is_file() and f.name != "manifest.json"]
    return {f.relative_to(folder).as_posix(): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


class Scene:
    """A command in its own folder, which makes one of two versions."""

    kept: tuple[str, ...]  # names that the command leaves
    at_work: str  # what the command prints when it begins to write

    def __init__(self, folder: Path):
        self.folder = folder
        self.prepare()
        self.wanted, self.seconds = [], 0.0
        for version in (0, 1):
            self.clear()
            begun = time.monotonic()
            run = self.start(version)
            said = run.stderr.read()
            assert run.wait() == 0, said
            self.seconds = max(self.seconds, time.monotonic() - begun)
            self.wanted.append(self.made())

    def start(self, version: int, mark: str = "") -> subprocess.Popen:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "cli"), MARK: mark}
        command = [sys.executable, *map(str, self.command(version))]
        null = subprocess.DEVNULL
        return subprocess.Popen(command, env=environment, stdout=null, stderr=subprocess.PIPE, text=True)

    def prepare(self) -> None:
        """Prepares what the runs need."""

    def command(self, version: int) -> list[object]:
        raise NotImplementedError

    def made(self) -> dict[str, str]:
        raise NotImplementedError

    def clear(self) -> None:
        raise NotImplementedError

    def whole(self) -> bool:
        """Whether the folder holds the whole result of some run, or nothing."""
        raise NotImplementedError

    def left(self) -> list[str]:
        """Returns names that should not be there."""
        return sorted({f.name for f in self.folder.iterdir()} - set(self.kept))


class Generating(Scene):
    kept = (".out.lock", "out", "project0", "project1")
    at_work = "opgen: writing"

    def prepare(self) -> None:
        for version, argument in enumerate(("shifts", "by")):
            project = self.folder / f"project{version}"
            (project / "functors").mkdir(parents=True)
            shutil.copy(GOLDEN / "functors" / "scale.h", project / "functors")
            text = (GOLDEN / "native_functions.yaml").read_text()
            edited = text.replace("int[1] shifts,", f"int[1] {argument},")
            (project / "native_functions.yaml").write_text(edited)

    def command(self, version: int) -> list[object]:
        project, out = self.folder / f"project{version}", self.folder / "out"
        options = ("--name", "golden", "--extend", "aten", "--kernels", project / "functors", "--out", out)
        return ["-m", "opgen", "generate", project, *options]

    def made(self) -> dict[str, str]:
        return digests(self.folder / "out")

    def clear(self) -> None:
        shutil.rmtree(self.folder / "out", ignore_errors=True)

    def whole(self) -> bool:
        out = self.folder / "out"
        return not out.exists() or (self.made() in self.wanted and not Manifest.read(out).stale(out))


class Building(Scene):
    kept = (".tree.lock", "build", "compile_commands.json", "dist", "tree")
    at_work = "opgen: configuring"

    def command(self, version: int) -> list[object]:
        return [Path(__file__).with_name("tiny_build.py"), version, self.folder]

    def made(self) -> dict[str, str]:
        with zipfile.ZipFile(next((self.folder / "dist").glob("*.whl"))) as wheel:
            return {n: hashlib.sha256(wheel.read(n)).hexdigest() for n in wheel.namelist()}

    def clear(self) -> None:
        for name in ("build", "dist", "tree"):
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def whole(self) -> bool:
        return not list((self.folder / "dist").glob("*.whl")) or self.made() in self.wanted

    def left(self) -> list[str]:
        others = [f.name for f in (self.folder / "dist").iterdir() if f.suffix != ".whl"]
        others += [f.name for f in (self.folder / "build").iterdir() if f.name not in (".tiny.lock", "tiny")]
        return [*super().left(), *others]


SCENES = {"generate": Generating, "build": Building}


def alive(mark: str) -> list[str]:
    """Returns the commands of the processes that the run `mark` has started."""
    found = []
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}\0".encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
    return found


def moment(scene: Scene, chance: random.Random) -> str | None:
    """Kills a run at a random moment; returns what is wrong afterwards, None if nothing is."""
    first, second = chance.randrange(2), chance.randrange(2)
    anew = chance.random() < 0.3
    if anew:
        scene.clear()
    mark = f"{os.getpid()}-{chance.getrandbits(64)}"
    killed = scene.start(first, mark)
    waited = chance.uniform(0.05, scene.seconds)
    time.sleep(waited)
    killed.kill()
    killed.wait()
    killed.stderr.close()
    place = f"killed after {waited:.2f} s of {scene.seconds:.2f}, versions {first} and {second}: "
    if not scene.whole():
        return f"{place}what was there is broken"
    begun, again, beside, said = time.monotonic(), scene.start(second), [], []
    for line in again.stderr:
        said.append(line)
        if line.startswith(scene.at_work):
            beside = alive(mark)
    if again.wait():
        return f"{place}the next run ended with {again.returncode}:\n{''.join(said)[-3000:]}"
    if anew:  # how long it takes depends on the machine's load
        scene.seconds = time.monotonic() - begun
    if beside or alive(mark):
        return f"{place}still at work: {beside or alive(mark)}"
    if scene.left():
        return f"{place}left behind: {scene.left()}"
    return None if scene.made() == scene.wanted[second] else f"{place}another result"


@cache
def scene(kind: str) -> Scene:
    folder = tempfile.TemporaryDirectory(prefix="opgen-kill-")
    made = SCENES[kind](Path(folder.name))
    made.own = folder  # is removed with the scene
    return made


def batch(kind: str, seed: int, first: int, count: int) -> list[str]:
    failures = []
    for index in range(first, first + count):
        fault = moment(scene(kind), random.Random(f"{kind} {seed} {index}"))
        if fault is not None:
            failures.append(f"{kind}, seed {seed}, moment {index}: {fault}")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200, help="moments of each command")
    parser.add_argument("--seed", type=int, help="default: that of the run that was left, or a new one")
    parser.add_argument("--only", choices=sorted(SCENES), help="one of the commands")
    options = parser.parse_args()
    failures = 0
    for kind in [options.only] if options.only else SCENES:
        run = campaign.Campaign.open(f"kill-{kind}", options.count, TESTED, options.seed)
        run.run(partial(batch, kind), 5, 1, campaign.say)
        failures += run.failures
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
