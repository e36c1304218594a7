"""The stubs: mypy agrees with typing_sample.py, accepts the package's own files, and knows exactly the public
names that exist at run time.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import aten
import pytest
from aten import _absent

SAMPLE = Path(__file__).parent / "typing_sample.py"
needs_mypy = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy (extra 'test')")
MODULES = (
    *("aten", "aten.nn.functional", "aten.linalg", "aten.fft", "aten.special", "aten.cuda", "aten.library"),
    *("aten.cuda.memory", "aten.cuda.random", "aten.cuda.streams"),
    *("aten.overrides", "aten.random", "aten.autograd", "aten.utils._python_dispatch"),
    *(f"aten.autograd.{name}" for name in ("function", "graph", "functional", "forward_ad", "anomaly_mode")),
)
ABSENT = "|".join(" ".join(_absent.ABSENT["Tensor"].values()).split())
# Correct parts of the package that stubtest reports, and why.
STUBTEST_MAY_SAY = (
    (r"is a disjoint base at runtime", "only the newest checkers know the decorator"),
    (r"aten\.Tensor\.__r?pow__ .*\"mod\"", "the slot takes a third argument that is always None"),
    (r"aten\._C\.(OpOverloadPacket|_FunctionCtx)\.__[gs]etattr__ is not present", "a slot without a name"),
    (r"aten\._C\._autograd is not a type", "a module inside the compiled one"),
    (r"aten\.array_api\S+ (is not present in stub|names exported)", "made from the modules beside it"),
    (rf"aten\.Tensor\.({ABSENT}) is not present in stub", "an error that says why it isn't there"),
    (r"aten\.autograd\.\S+ (is not present at runtime|names exported)", "for checkers, or inside a function"),
    (r"aten\.(nn|optim|utils|amp|safetensors)\S+ is not present at runtime", "types for checkers"),
    (r"aten\.(_library|torch\._)\S+ is not present at runtime", "types for checkers"),
    (r"aten\.optim\.optimizer\.ParamsT is not a Union", "a name for programs that annotate with it"),
    (r"aten\.(nn|optim|multiprocessing)\.\S+ names exported", "a list that is computed"),
    (r"aten\.nn\.(__all__|init\.\w+|utils\.rnn\.\w+\.\w+) is not present in stub", "made by a loop"),
    (r"aten\.optim\.swa_utils\.AveragedModel is not present in stub", "imported when it is used first"),
    (r"aten\.(nn|utils)\S+ variable differs from runtime type def", "functions that classes keep"),
    (r"aten\.distributions\.\S+ (is not a function|is read-only)", "constraints that depend on parameters"),
    (r"aten\.distributions\.\S+ is not present", "parameters of what it is made from, types for checkers"),
    (r"aten\.distributions\._kl_\w+\.\S+ is inconsistent", "a decorator that returns what it is given"),
    (r"aten\._serialization\.\S+ is inconsistent, runtime does not have \*", "a cached function"),
)
LINE = re.compile(r"[^:]+:(?P<line>\d+): (?P<kind>error|note): (?P<text>.*?)(  \[(?P<code>[\w-]+)\])?$")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with only the package: mypy doesn't accept a site-packages folder as a path of sources."""
    made = tmp_path_factory.mktemp("typing")
    (made / "aten").symlink_to(Path(aten.__file__).parent)
    return made


def mypy(folder: Path, *arguments: str) -> list[str]:
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), *arguments]
    done = subprocess.run(
        command, cwd=folder, env={"MYPYPATH": str(folder)}, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout.splitlines()


def expectations() -> set[tuple[int, str]]:
    found = set()
    for number, line in enumerate(SAMPLE.read_text(encoding="utf-8").splitlines(), 1):
        for kind, what in re.findall(r"# (is|error) (.+)$", line):
            found.add((number, f"{kind} {what}"))
    assert len(found) > 55
    return found


@needs_mypy
def test_a_users_program_is_typed_as_it_says(folder):
    found = set()
    for line in mypy(folder, str(SAMPLE)):
        match = LINE.match(line)
        if match and match["kind"] == "error":
            found.add((int(match["line"]), f"error {match['code']}"))
        elif match and match["text"].startswith("Revealed type is "):
            text = match["text"].removeprefix("Revealed type is ").strip('"').replace("builtins.", "")
            found.add((int(match["line"]), f"is {text}"))
    assert found == expectations()


@needs_mypy
def test_the_package_itself_is_typed(folder):
    assert mypy(folder, "-p", "aten")[-1].startswith("Success")


@needs_mypy
def test_stubs_say_what_is_there(folder):
    """stubtest compares names, kinds, signatures, and which classes can be subclassed."""
    command = [sys.executable, "-m", "mypy.stubtest", "aten", "--concise"]
    paths = {"MYPYPATH": str(folder), "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=paths, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1) and not done.stderr, done.stdout + done.stderr
    said = [s for s in done.stdout.splitlines() if not s.startswith("Success")]
    assert [s for s in said if not any(re.search(pattern, s) for pattern, _ in STUBTEST_MAY_SAY)] == []


def runtime_names(module: str) -> set[str]:
    """Returns public names, except a file's own imports."""
    space = importlib.import_module(module)
    public = {n for n in vars(space) if not n.startswith("_")}
    if module == "aten":
        return {*public, "__version__"} - {"annotations"}
    if Path(space.__file__).with_suffix(".pyi").exists():
        return public - {"annotations", "Any", "Tensor", "TYPE_CHECKING"}
    return {n for n in public if getattr(vars(space)[n], "__module__", None) == module}


def stub_names(folder: Path, expressions: list[str]) -> set[str]:
    """Returns those of the expressions that mypy knows."""
    roots = sorted(set(MODULES))
    lines = [*(f"import {m}" for m in roots), *expressions]
    program = folder / "names.py"
    program.write_text("\n".join(lines) + "\n", encoding="utf-8")
    unknown = set()
    for line in mypy(folder, "--disable-error-code=misc", str(program)):
        match = LINE.match(line)
        if match and match["code"] in ("attr-defined", "name-defined"):
            unknown.add(lines[int(match["line"]) - 1])
    return {e for e in expressions if e not in unknown}


@needs_mypy
def test_every_name_is_in_the_stubs(folder):
    program = (
        "from test_typing import MODULES, runtime_names\n"
        "for m in MODULES: print(*(f'{m}.{n}' for n in sorted(runtime_names(m))), sep='\\n')"
    )
    # In a child process: modules that other tests import become attributes of the package.
    paths = {"PYTHONPATH": str(Path(__file__).parent)}
    expressions = subprocess.run(
        [sys.executable, "-c", program], env=paths, capture_output=True, text=True, check=True
    ).stdout.split()
    expressions += [f"aten.Tensor.{n}" for n in dir(aten.Tensor) if n[:2] != "__" and hasattr(aten.Tensor, n)]
    members = (aten.Generator, aten.Stream, aten.device, aten.dtype, aten.Size)
    expressions += [f"aten.{t.__name__}.{n}" for t in members for n in dir(t) if not n.startswith("_")]
    expressions = [e for e in expressions if not e.endswith((".def", ".lambda"))]
    assert len(expressions) > 450
    assert set(expressions) - stub_names(folder, expressions) == set()


def is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def declared(path: Path) -> set[str]:
    """Returns dotted names that a stub file declares or exports, without private ones."""
    import ast

    found: set[str] = set()

    def walk(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name != "__getattr__":
                found.add(prefix + node.name)
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    walk(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.add(prefix + node.target.id)
            elif isinstance(node, ast.ImportFrom):
                found.update(prefix + a.asname for a in node.names if a.asname is not None)

    walk(ast.parse(path.read_text(encoding="utf-8")).body, "")
    return {n for n in found if not any(is_private(part) for part in n.split("."))}


@pytest.mark.parametrize("module", ["aten", "aten.nn.functional", "aten._C"])
def test_every_name_of_the_stubs_is_there(module):
    file = Path(aten.__file__).parent.joinpath(*module.split(".")[1:])
    path = file / "__init__.pyi" if file.is_dir() else file.with_suffix(".pyi")
    space = importlib.import_module(module)
    missing = set()
    for name in declared(path):
        value = space
        for part in name.split("."):
            value = (
                inspect.getattr_static(value, part, None)
                if inspect.isclass(value)
                else getattr(value, part, None)
            )
        if value is None and name != "newaxis":
            missing.add(name)
    assert missing == set()
