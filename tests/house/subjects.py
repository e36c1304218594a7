"""The subject of each operator, and misplaced files.

A subject is a folder of `ops/`; `cpu/` and `cuda/` have the same ones. The sections of native_functions.yaml
assign operators to subjects. Every function takes the root of a repository and returns messages.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

CPP = (".h", ".cpp", ".cuh", ".cu")
TOP_FOLDERS = ("ops", "cpu", "cuda")
# Folders of ops/ that are not subjects: code that belongs to no operator, and functions used by functors.
NO_SUBJECTS = {"runtime", "math"}
# Folders beside the subjects: ATen's and c10's own for CUDA, and sources compiled for each CPU capability.
BESIDE = {"ops": NO_SUBJECTS, "cpu": {"simd"}, "cuda": {"ATen", "c10"}}
INSIDE = {"ops": {"functors"}, "cpu": {"simd"}, "cuda": set()}

_SECTION = re.compile(r"# -{20} (\w+)(?:: .*)?")
_ENTRY = re.compile(r"- (?:func|name): (\w+)")
_DEFINED = re.compile(r"^#include <ATen/ops/(\w+?)_(?:native|meta)\.h>$", re.MULTILINE)
_DEVICE_KERNEL = re.compile(
    r"^(?:TORCH_IMPL_FUNC\(|Tensor&? |std::tuple<.*> )(\w+_(?:cpu|cuda)_?)[(\)]", re.MULTILINE
)
_STUB = re.compile(r"^(DECLARE_DISPATCH\(\w+, |DEFINE_DISPATCH\(|REGISTER_\w*DISPATCH\()(\w+)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Source:
    path: str
    top: str
    subject: str
    stem: str
    text: str

    @property
    def is_entry(self) -> bool:
        """Whether a file that is named after an operator must define one: kernels and headers need not."""
        return self.top == "ops" and self.path.endswith(".cpp")

    @property
    def defined(self) -> list[str]:
        """Returns the operators whose kernels or meta functions are defined here, by the names of their
        headers.
        """
        return sorted(set(_DEFINED.findall(self.text)))


def subjects(root: Path) -> set[str]:
    return {p.name for p in (root / "ops").iterdir() if p.is_dir()} - NO_SUBJECTS


def sources(root: Path) -> Iterator[Source]:
    """Yields the C++ files in folders of subjects."""
    for top in TOP_FOLDERS:
        for path in sorted((root / top).glob("*/**/*")):
            subject = path.relative_to(root / top).parts[0]
            if path.suffix in CPP and subject not in BESIDE[top]:
                text = path.read_text(encoding="utf-8")
                yield Source(path.relative_to(root).as_posix(), top, subject, path.stem, text)


def sections(file: Path) -> Iterator[tuple[str, int, str]]:
    """Yields (subject, line, operator) of every entry; the subject is "" above the first heading."""
    subject = ""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if found := _SECTION.fullmatch(line):
            subject = found[1].lower()
        elif found := _ENTRY.match(line):
            yield subject, number, found[1]


def header_name(operator: str, names: set[str]) -> str:
    """Returns the `X` of <ATen/ops/X.h>: `add` for add_, `and` for __and__ and __iand__."""
    if operator.startswith("__") and operator.endswith("__"):
        inner = operator[2:-2]
        return inner[1:] if inner.startswith("i") and f"__{inner[1:]}__" in names else inner
    return operator.removesuffix("_")


def owners(root: Path) -> dict[str, str]:
    """Returns the subject of each operator, by the name of its header."""
    entries = list(sections(root / "schemas" / "native_functions.yaml"))
    names = {operator for _, _, operator in entries}
    return {header_name(operator, names): subject for subject, _, operator in entries}


def strange_sections(root: Path) -> list[str]:
    known, owner, found = subjects(root), owners(root), []
    for file in ("native_functions.yaml", "derivatives.yaml"):
        for subject, line, operator in sections(root / "schemas" / file):
            where = f"schemas/{file}:{line}: {operator}"
            home = owner.get(operator.removesuffix("_"), subject)
            if subject not in known:
                found.append(
                    f"{where} is in section {subject or 'none'!r}, expected one of ops/: {sorted(known)}"
                )
            elif home != subject:
                found.append(
                    f"{where} is in section {subject!r}, its other entries are in {home!r}: move it there"
                )
    return found


def strange_folders(root: Path) -> list[str]:
    known, found = subjects(root), []
    for top in TOP_FOLDERS:
        for folder in sorted(p for p in (root / top).glob("*") if p.is_dir()):
            if folder.name not in known | BESIDE[top]:
                found.append(f"{top}/{folder.name} is no subject, expected a folder of ops/: {sorted(known)}")
            if folder.name in known:
                inner = {p.name for p in folder.iterdir() if p.is_dir()} - INSIDE[top]
                found += [
                    f"{top}/{folder.name}/{name}: move its files into {top}/{folder.name}" for name in inner
                ]
    return found


def strange_definitions(root: Path) -> list[str]:
    owner = owners(root)
    return [
        f"{source.path} defines {operator}, which is of {home!r}: move it to {source.top}/{home}"
        for source in sources(root)
        for operator in source.defined
        if (home := owner.get(operator, source.subject)) != source.subject
    ]


def strange_stems(root: Path) -> list[str]:
    """Checks that a file named after an operator is in its subject and, where it defines operators, defines
    that one or one named after it: `native_layer_norm` in layer_norm.cpp.
    """
    owner, found = owners(root), []
    for source in sources(root):
        home, stem = owner.get(source.stem), source.stem
        if home is None:
            continue
        if home != source.subject:
            move = f"move what is {stem}'s to {source.top}/{home}, and call the rest after what it is"
            found.append(f"{source.path} is called after an operator of {home!r}: {move}")
        elif (source.defined or source.is_entry) and not any(
            re.search(rf"(^|_){stem}(_|$)", operator) for operator in source.defined
        ):
            found.append(f"{source.path} doesn't define {stem}: call it after one of {source.defined}")
    return found


def strange_stubs(root: Path) -> list[str]:
    """Checks that a stub defined in a subject is declared and registered there."""
    defined: dict[str, str] = {}
    uses: list[tuple[str, Source]] = []
    for source in sources(root):
        for how, stub in _STUB.findall(source.text):
            if how.startswith("DEFINE"):
                defined[stub] = source.subject
            uses.append((stub, source))
    return [
        f"{source.path}: {stub} is defined in {home!r}: move what is the stub's to {source.top}/{home}"
        for stub, source in uses
        if (home := defined.get(stub, source.subject)) != source.subject
    ]


def strange_devices(root: Path) -> list[str]:
    """ATen names some kernels after their device: these are defined in the device's folder."""
    return [
        f"{source.path} defines {name}: move it to {name.strip('_').rpartition('_')[2]}/{source.subject}"
        for source in sources(root)
        if source.top == "ops"
        for name in _DEVICE_KERNEL.findall(source.text)
    ]


def parted_stems(root: Path) -> list[str]:
    """Checks that files of one stem for two devices are in one subject."""
    of: dict[str, dict[str, set[str]]] = {"cpu": defaultdict(set), "cuda": defaultdict(set)}
    for source in sources(root):
        if source.top in of:
            of[source.top][source.stem].add(source.subject)
    return [
        f"{stem} is in {sorted(cpu)} of cpu/, in {sorted(cuda)} of cuda/: put both into one subject"
        for stem, cpu in of["cpu"].items()
        if (cuda := of["cuda"].get(stem)) and not cpu & cuda
    ]


def parted_kernels(root: Path) -> list[str]:
    """Checks that a stub's kernels are in files of one stem: pad.cu, and pad.cpp or pad_backward.cpp."""
    on_cpu: dict[str, Source] = {}
    on_cuda: dict[str, Source] = {}
    for source in sources(root):
        for how, stub in _STUB.findall(source.text):
            if how.startswith("REGISTER") and source.top == "cpu":
                on_cpu[stub] = source
            elif how.startswith("REGISTER") and source.path.endswith(".cu"):
                on_cuda[stub] = source
    return [
        f"{cuda.path}: the kernel of {stub} for the CPU is in {cpu.path}: give both files one stem"
        for stub, cuda in on_cuda.items()
        if (cpu := on_cpu.get(stub)) and not f"{cpu.stem}_".startswith(f"{cuda.stem}_")
    ]


def strange_names(root: Path) -> list[str]:
    return [
        f"{source.path}: file names are lower_case in folders of subjects"
        for source in sources(root)
        if not re.fullmatch(r"[a-z0-9_]+", source.stem)
    ]


RULES = (
    strange_sections, strange_folders, strange_definitions, strange_stems, strange_stubs,
    strange_devices, parted_stems, parted_kernels, strange_names,
)  # fmt: skip
