"""Which tests the changes of the last day touch: `make test-share` runs these first.

    python tests/gate/touched.py      prints them

The day ends with HEAD's own commit date, so that a commit always has the same tests.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests"), str(ROOT / "tests" / "house")]

import subjects  # noqa: E402
from gate.history import day_before, git  # noqa: E402

# Of cli/opgen: the folders whose tests mirror a pass of another name.
PASSES = {
    "breaking": ("tests/cli/breaking/", "tests/breaking/"),
    "build": ("tests/cli/building/",),
    "check": ("tests/cli/validate/",),
    "expand": ("tests/cli/generate/", "tests/golden/"),
    "model": ("tests/cli/api/", "tests/golden/"),
    "render": ("tests/cli/generate/", "tests/golden/"),
    "select": ("tests/cli/generate/",),
    "template_views": ("tests/cli/generate/", "tests/cli/derivatives/", "tests/golden/"),
}
# What the runtime, the templates and the bindings are in: programs, projects, whole builds.
WIDE = ("tests/integration/", "tests/projects/", "tests/golden/", "tests/cli/building/", "tests/programs/")
IS_WIDE = ("core/", "templates/", "python/bindings/", "ops/runtime/", "schemas/base.yaml")
# What is compiled for the emulated device beside the kernels of cuda/.
EMULATED = ("cuda/", "core/", "ops/runtime/", "tools/cuda_emulator/", "tests/cuda_host/")
NVCC = "tests/nvcc/test_nvcc.py::test_compiles"  # its parameters are files
TIDY = "tests/tidy/test_tidy.py::test_follows_the_style"  # and its are subjects and folders
CLANGD = "tests/integration/test_compile_commands_work.py::test_clangd"
BY_SECTION = ("schemas/native_functions.yaml", "schemas/derivatives.yaml")


@dataclass
class Touched:
    """`paths` are beginnings of tests' names, `subjects` folders of ops/."""

    paths: set[str] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)
    emulated: bool = False
    owners: dict[str, str] = field(default_factory=dict, repr=False)  # operator -> subject

    def has(self, name: str) -> bool:
        """Whether a test is touched: by its file, or by the operator that its parameters begin with."""
        if name.startswith(tuple(self.paths)):
            return True
        _, _, parameters = name.partition("[")
        return bool(self.subjects) and self._subject(re.split(r"[-\]]", parameters)[0]) in self.subjects

    def _subject(self, operator: str) -> str | None:
        """Of an operator as tests name it: `add_`, `add.out`, `nn.functional.gelu`, `linalg.svd`."""
        plain = operator.strip("_")
        names = (plain, plain.partition(".")[0], plain.rpartition(".")[2], plain.replace(".", "_"))
        return next((self.owners[name] for name in names if name in self.owners), None)

    def __str__(self) -> str:
        paths = [p for p in sorted(self.paths) if not any(p != q and p.startswith(q) for q in self.paths)]
        words = [*paths, *(f"operators of {subject}" for subject in sorted(self.subjects))]
        return ", ".join([*words, *["the emulated device"] * self.emulated]) or "nothing"


def touched(root: Path = ROOT) -> tuple[Touched, str]:
    """Returns what the last day's commits touch, and since when; where there is no older commit, nothing."""
    base, since = day_before(root)
    if base is None:
        return Touched(), since
    files = git(root, "diff", "--name-only", "--no-renames", base, "HEAD")
    return of(root, (files or "").splitlines(), base), since


def of(root: Path, files: Iterable[str], base: str) -> Touched:
    found = Touched(owners=subjects.owners(root))
    known = subjects.subjects(root)
    for file in files:
        top, *inner = file.split("/")
        if top in subjects.TOP_FOLDERS and inner[0] in known:
            found.subjects.add(inner[0])
        elif file in BY_SECTION:
            found.subjects |= changed_sections(root, file, base) & known
        elif file.startswith("tests/ops/samples/"):
            found.subjects |= {found.owners[w] for w in changed_words(root, file, base) & {*found.owners}}
        else:
            found.paths |= set(mirrored(root, top, inner))
        if file.startswith(IS_WIDE):
            found.paths |= set(WIDE)
        found.emulated |= file.startswith(EMULATED)
        found.paths |= {f"{NVCC}[{source}]" for source in compiled_by_nvcc(root, file)}
        if file.endswith(".clang-tidy"):  # clangd reads them too
            found.paths |= {"tests/tidy/", CLANGD}
        if file.endswith(subjects.CPP):
            found.paths.add(f"{TIDY}[{inner[0] if top in subjects.TOP_FOLDERS else f'{top}/{inner[0]}'}]")
    return found


def compiled_by_nvcc(root: Path, file: str) -> set[str]:
    """Returns the .cu files of cuda/ that are this file or include it, at any depth."""
    texts = {path: path.read_text(encoding="utf-8") for path in (root / "cuda").rglob("*.cu*")}
    found, names = set(), {Path(file).name} if file.endswith((".cu", ".cuh")) else set()
    while names:
        reached = {p for p, text in texts.items() if p.name in names or any(f"/{n}>" in text for n in names)}
        names = {path.name for path in reached - found if path.suffix == ".cuh"}
        found |= reached
    return {path.relative_to(root).as_posix() for path in found if path.suffix == ".cu"}


def mirrored(root: Path, top: str, inner: list[str]) -> tuple[str, ...]:
    """Returns where the tests of a file are, if it has tests of its own."""
    if top == "cli" and len(inner) > 2:
        return PASSES.get(inner[1], (f"tests/cli/{inner[1]}/",))
    if top == "python" and inner[0] == "aten" and len(inner) > 1:
        package = inner[1].removesuffix(".py").strip("_")
        return (f"tests/{package if (root / 'tests' / package).is_dir() else 'python'}/",)
    if top == "tools" and len(inner) > 1:
        return (f"tests/{inner[0]}/",)
    if top == "tests" and len(inner) > 1:
        is_test = inner[-1].startswith("test_") and inner[-1].endswith(".py")
        return ("/".join([top, *inner]) if is_test else f"{'/'.join([top, *inner[:-1]])}/",)
    return ()


def changed_sections(root: Path, file: str, base: str) -> set[str]:
    """Returns the subjects of the entries that have changed."""
    lines = changed_lines(root, file, base)
    entries = [(line, subject) for subject, line, _ in subjects.sections(root / file)]
    ends = [line for line, _ in entries[1:]] + [sys.maxsize]
    return {
        subject
        for (line, subject), end in zip(entries, ends, strict=True)
        if any(line <= n < end for n in lines)
    }


def changed_lines(root: Path, file: str, base: str) -> set[int]:
    """Returns the numbers of new lines, and of those before which some were removed."""
    diff = git(root, "diff", "--unified=0", base, "HEAD", "--", file) or ""
    found: set[int] = set()
    for first, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", diff, re.MULTILINE):
        found |= set(range(int(first), int(first) + max(1, int(count or 1))))
    return found


def changed_words(root: Path, file: str, base: str) -> set[str]:
    """Returns the strings on lines that were added or removed."""
    diff = git(root, "diff", "--unified=0", base, "HEAD", "--", file) or ""
    return {
        word
        for line in diff.splitlines()
        if re.match(r"[+-](?![+-])", line)
        for word in re.findall(r"\"(\w+)\"", line)
    }


if __name__ == "__main__":
    what, since = touched()
    print(f"{since}: {what}")
