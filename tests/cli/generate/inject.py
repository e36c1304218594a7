"""Text that would end its literal or comment, in every place: `make inject`, or
`python tests/cli/generate/inject.py`.

Placement number I of seed S is always the same: a payload in a field of native_functions.yaml,
derivatives.yaml, checks.yaml, docs.yaml, tags.yaml or opgen.toml, or in an option. Each is diagnosed, or what
is generated holds it in literals and comments only: by the lexers of C++, Python, JSON and CMake, and by the
compiler, for which the payloads' name is a macro that compiles nowhere.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import hashlib
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from unittest import mock

import yaml
from inject_places import CANARY, PAYLOADS, Steps, mixed, of_files, of_options, put
from opgen import commands
from opgen.commands import exit_codes
from opgen.render import pages
from opgen.select import sources

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests" / "tools"))
import campaign  # noqa: E402

GOLDEN = ROOT / "tests" / "golden"
HERE = Path(__file__)
TESTED = (ROOT / "cli" / "opgen", ROOT / "templates", GOLDEN, HERE, HERE.with_name("inject_places.py"))
OPTIONS = ("--name", "golden", "--extend", "aten", "--missing-kernels", "stub")
CONFIG = {"schemas": "native_functions.yaml", "name": "golden", "extend": "aten", "kernels": ["functors"]}
GOLDEN_FILES = ("native_functions", "derivatives", "checks", "docs")
FILES = {name: f"{name}.yaml" for name in (*GOLDEN_FILES, "tags", "autocast", "batching")}
CASTS = [{"cast": "float32", "devices": ["CPU"], "ops": ["scale.Tensor"]}]
BATCHES = [{"ops": ["scale.Tensor"], "leading": "", "roles": {"other": "s"}}]
CPP, PYTHON, CMAKE = (".h", ".cpp", ".cu"), (".py", ".pyi"), (".cmake", ".txt")
FLAGS = ("-std=c++20", "-fsyntax-only", "-w", "-DC10_BUILDING_LIBRARY", "-DCPU_CAPABILITY=DEFAULT")
FLAGS += ("-DCPU_CAPABILITY_DEFAULT",)


# opgen's own files, which never change and take most of the time to read.
own_sources, lookup = functools.cache(sources.extension_sources), functools.cache(pages.lookup)


@functools.cache
def given() -> dict[str, object]:
    """Returns the golden project as plain data, every scalar a text; its JSON is valid YAML."""
    found = {n: yaml.load((GOLDEN / FILES[n]).read_text(), yaml.BaseLoader) for n in GOLDEN_FILES}
    tags = yaml.load((ROOT / "schemas" / "tags.yaml").read_text(), yaml.BaseLoader)
    described = [{"tag": t["tag"], "desc": t["desc"]} for t in tags]
    return {**found, "tags": described, "autocast": CASTS, "batching": BATCHES, "opgen": CONFIG}


def toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + "}"
    return "[" + ", ".join(map(toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


class Placement:
    """A payload in one place; `arguments` are those of `opgen generate`, in a folder that has the files."""

    def __init__(self, seed: int, index: int):
        chance = random.Random(f"inject {seed} {index}")
        payload = chance.choice(PAYLOADS)
        places = [(name, path) for name, paths in of_files().items() for path in paths]
        # The functions file has most of the text that is generated.
        places += [p for p in places if p[0] == "native_functions"] * 2
        places += [("native_functions", (0, "func"))] * 30
        places += [("--", (option,)) for option in of_options()] * 2
        self.file, path = chance.choice(places)
        self.data, self.arguments = dict(given()), ["generate", ".", *OPTIONS, "--kernels", "functors"]
        if self.file == "--":
            text = payload if chance.random() < 0.6 else mixed("golden", payload, chance)
            self.arguments += [path[0], text]
        else:
            data = self.data[self.file]
            if isinstance(data, list):  # an entry, preferably one that has the field
                at = chance.choice(self._likely(data, path) if chance.random() < 0.8 else range(len(data)))
                entry = put([data[at]], path, partial(self._mixed, payload, chance))[0]
                self.data[self.file] = [*data[:at], entry, *data[at + 1 :]]
            else:
                self.data[self.file] = put(data, path, partial(self._mixed, payload, chance))
                self.arguments = ["generate", "--config", "opgen.toml"]
        self.ascii = chance.random() < 0.5
        self.text = f"{self.file} {'.'.join(map(str, path))} {payload!r}"

    @staticmethod
    def _likely(data: list, path: Steps) -> list[int]:
        """Returns entries with the field, or all; those with a literal in the schema several times."""
        having = [i for i, entry in enumerate(data) if len(path) > 1 and path[1] in entry] or [
            *range(len(data))
        ]
        return having + [i for i in having if '"' in data[i].get("func", "")] * (len(having) // 2)

    @staticmethod
    def _mixed(payload: str, chance: random.Random, old: str) -> str:
        return mixed(old, payload, chance)

    def write(self, folder: Path) -> None:
        for name, file in FILES.items():
            lines = [json.dumps(entry, ensure_ascii=self.ascii) for entry in self.data[name]]
            lines = [re.sub('"(True|False)"', r"\1", line) for line in lines]  # quotes would make it text
            (folder / file).write_text("".join(f"- {line}\n" for line in lines))
        config = "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in self.data["opgen"].items())
        (folder / "opgen.toml").write_text(config if self.file == "opgen" else "")
        shutil.copytree(GOLDEN / "functors", folder / "functors")


def generate(placement: Placement, sandbox: Path) -> tuple[int, str, list[Path]]:
    """Returns the exit code, the output, and the trees that exist afterwards. A path may lead out of the
    folder.
    """
    folder = sandbox / "a" / "b" / "c"
    folder.mkdir(parents=True)
    placement.write(folder)
    before, said = os.getcwd(), io.StringIO()
    os.chdir(folder)
    same = (
        mock.patch.multiple(sources, extension_sources=own_sources),
        mock.patch.multiple(pages, lookup=lookup),
    )
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), same[0], same[1]:
            code = commands.run(placement.arguments)
    finally:
        os.chdir(before)
    return code, said.getvalue(), [m.parent for m in sandbox.rglob("manifest.json")]


def outside_of_quotes(text: str, path: str) -> str:
    """Returns `text` without string literals, and without comments of one line."""
    quoted = r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"'
    if path.endswith((".py", ".pyi")):
        quoted += r"|'(?:[^'\\\n]|\\.)*'"
    comments = r"//[^\n]*(?<!\\)$" if path.endswith(CPP) else r"#[^\n]*$"
    return re.sub(f"{quoted}|{comments}", "", text, flags=re.MULTILINE)


def faults_of(tree: Path) -> list[str]:
    """Returns what is wrong with the text of a tree."""
    found = []
    for file in tree.rglob("*"):
        if CANARY in file.name:
            found.append(f"the file {file.name!r}")
        if not file.is_file() or CANARY not in (text := file.read_text(encoding="utf-8")):
            continue
        try:
            if file.suffix == ".json":
                json.loads(text)
            elif file.suffix in PYTHON and any(map(names_canary, ast.walk(ast.parse(text)))):
                found.append(f"{file.name} uses it")
            elif file.suffix in (*CPP, *CMAKE) and CANARY in outside_of_quotes(text, file.name):
                found.append(f"{file.name} has it outside of literals")
            elif file.suffix not in (*CPP, *CMAKE, *PYTHON):
                found.append(f"{file.name} is of no kind that was expected")
        except (SyntaxError, ValueError) as error:
            found.append(f"{file.name}: {error}")
    return found


def names_canary(node: ast.AST) -> bool:
    fields = (value for name, value in ast.iter_fields(node) if not isinstance(node, ast.Constant))
    return any(isinstance(value, str) and CANARY in value for value in fields)


class Compiler:
    """Compiles files with the canary, each text once; the extended library's headers are read once."""

    def __init__(self, compiler: str, include: Path):
        self._folder = tempfile.TemporaryDirectory(prefix="opgen-inject-")
        self.folder, self.seen = Path(self._folder.name), set()
        (self.folder / "all.h").write_text("#include <ATen/ATen.h>\n#include <torch/library.h>\n")
        self.command = [compiler, *FLAGS, f"-I{include / 'aten'}", f"-I{include}"]
        made = ["-x", "c++-header", "all.h", "-o", "all.h.gch"]
        command = [c for c in self.command if c != "-fsyntax-only"]
        subprocess.run([*command, *made], cwd=self.folder, check=True, capture_output=True)

    def faults(self, tree: Path) -> list[str]:
        """Returns the compiler's errors about one translation unit of all the files."""
        files = [f for f in sorted(tree.rglob("*")) if f.suffix in CPP[:2] and CANARY in f.read_text()]
        texts = b"".join(f.read_bytes() for f in files)
        if not files or (digest := hashlib.sha256(texts).digest()) in self.seen:
            return []
        self.seen.add(digest)
        include = next((tree / "include").iterdir())
        unit = "#include <all.h>\n" + f'#define {CANARY} @ "the canary"\n'
        unit += "".join(f'#include "{f}"\n' for f in files)
        (self.folder / "unit.cpp").write_text(unit)
        command = [*self.command, f"-I{self.folder}", f"-I{include}", f"-I{tree / 'src'}", "unit.cpp"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return [f"it doesn't compile: {done.stderr[:1500]}"] if done.returncode else []


@functools.cache
def compiler() -> Compiler | None:
    """Returns the compiler; None where there is no compiler or no library to extend."""
    program = shutil.which(os.environ.get("CXX", "c++"))
    include = ROOT / "generated" / "aten" / "include"
    return Compiler(program, include) if program and include.is_dir() else None


def problem(placement: Placement) -> tuple[str, str | None]:
    """Returns whether it was diagnosed or generated, and what is wrong."""
    with tempfile.TemporaryDirectory(prefix="opgen-inject-") as sandbox:
        code, said, trees = generate(placement, Path(sandbox))
        if not said.replace("\n", "").isprintable():
            return "failed", f"said {said!r}"
        if code in (exit_codes.FINDINGS, exit_codes.USAGE):
            return "diagnosed", f"code {code}, but there is {trees[0]}" if trees else None
        if code or not trees:
            return "failed", f"ended with {code}: {said[-2000:]}"
        found = [fault for tree in trees for fault in faults_of(tree)]
        if not found and compiler() is not None:
            found = [fault for tree in trees for fault in compiler().faults(tree)]
        return "generated", "; ".join(found) or None


def batch(seed: int, first: int, count: int) -> list[str]:
    found = []
    for index in range(first, first + count):
        placement = Placement(seed, index)
        try:
            wrong = problem(placement)[1]
        except Exception as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            found.append(f"seed {seed}, placement {index}: {placement.text}: {wrong}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, help="default: that of the run that was left, or a new one")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if compiler() is None:
        print("inject: nothing is compiled: that needs a C++ compiler and generated/aten", flush=True)
    run = campaign.Campaign.open("inject", options.count, TESTED, options.seed)
    run.run(batch, 50, options.jobs, campaign.say)
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
