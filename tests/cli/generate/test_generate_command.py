"""`opgen generate`: which files are written, when, and the exit code."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from front import ROOT

GOLDEN = ROOT / "tests" / "golden"
# Generation without copying a runtime: an extension of a library that need not be installed.
EXTENSION = ("--name", "golden", "--extend", "aten", "--kernels")


def opgen(*arguments: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "opgen", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "cli"), **environment}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the golden project, to be edited."""
    folder = tmp_path / "project"
    (folder / "functors").mkdir(parents=True)
    for name in ("native_functions.yaml", "functors/scale.h"):
        (folder / name).write_bytes((GOLDEN / name).read_bytes())
    return folder


def generate(project: Path, out: Path, *more: object, **environment: str) -> subprocess.CompletedProcess:
    yaml = project / "native_functions.yaml"
    return opgen("generate", yaml, *EXTENSION, project / "functors", "--out", out, *more, **environment)


def tree(out: Path) -> dict[str, str]:
    return {
        f.relative_to(out).as_posix(): hashlib.sha256(f.read_bytes()).hexdigest()
        for f in out.rglob("*")
        if f.is_file()
    }


def times(out: Path) -> dict[str, tuple[int, int]]:
    files = [f for f in out.rglob("*") if f.is_file()]
    return {f.relative_to(out).as_posix(): (f.stat().st_ino, f.stat().st_mtime_ns) for f in files}


def test_the_same_bytes_wherever_and_however_it_runs(project, tmp_path, monkeypatch):
    first = generate(project, tmp_path / "a", PYTHONHASHSEED="1")
    assert first.returncode == 0, first.stderr
    elsewhere = project.rename(tmp_path / "moved elsewhere")
    monkeypatch.chdir(elsewhere)
    arguments = ("generate", ".", *EXTENSION, "functors", "--out", tmp_path / "b")
    second = opgen(*arguments, cwd=elsewhere, PYTHONHASHSEED="2", LC_ALL="C", TZ="Asia/Tokyo")
    assert second.returncode == 0, second.stderr
    assert tree(tmp_path / "a") == tree(tmp_path / "b")
    texts = [f.read_text() for f in (tmp_path / "b").rglob("*") if f.is_file()]
    assert not [t for t in texts if str(tmp_path) in t]


def test_a_second_run_touches_no_file(project, tmp_path):
    out = tmp_path / "out"
    generate(project, out)
    before = times(out)
    again = generate(project, out)
    assert again.returncode == 0 and "up to date" in again.stdout
    assert times(out) == before


def test_a_comment_changes_no_compiled_file(project, tmp_path):
    """Lines move, so the files that list them change; no C++ file contains line numbers."""
    out = tmp_path / "out"
    generate(project, out)
    before = times(out)
    yaml = project / "native_functions.yaml"
    yaml.write_text("# one more line\n" + yaml.read_text())
    assert generate(project, out).returncode == 0
    after = times(out)
    listing = {"manifest.json", "sources.json", "python/golden/declarations.txt"}
    assert {p for p in after if after[p] != before.get(p)} == listing


def test_a_changed_operator_rewrites_only_its_files(project, tmp_path):
    out = tmp_path / "out"
    generate(project, out)
    before = times(out)
    yaml = project / "native_functions.yaml"
    yaml.write_text(
        yaml.read_text().replace("turn(Tensor self, int[1] shifts,", "turn(Tensor self, int[1] by,")
    )
    assert generate(project, out).returncode == 0
    after = times(out)
    headers = {f"include/golden/ATen/ops/turn{suffix}.h" for suffix in ("", "_ops", "_native")}
    shards = {
        f"src/{kind}_0.cpp"
        for kind in ("operators", "autogen", "autograd", "register_CompositeExplicitAutograd")
    }
    package = {f"python/golden/__init__.{suffix}" for suffix in ("py", "pyi")}
    assert {p for p in after if after[p] != before.get(p)} == {*headers, *shards, *package, "manifest.json"}


def test_check_and_dry_run_write_nothing(project, tmp_path):
    out = tmp_path / "out"
    missing = generate(project, out, "--check")
    assert missing.returncode == 1 and not out.exists()
    listed = generate(project, out, "--dry-run")
    assert listed.returncode == 0 and "write src/registry.cpp" in listed.stdout and not out.exists()
    assert generate(project, out).returncode == 0
    assert generate(project, out, "--check").returncode == 0
    (out / "src" / "registry.cpp").write_text("edited")
    before = times(out)
    drifted = generate(project, out, "--check")
    assert drifted.returncode == 1 and drifted.stdout.splitlines()[0] == "write src/registry.cpp"
    assert generate(project, out, "--dry-run").returncode == 0
    assert times(out) == before


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Tensor self, int[1] shifts", "Tensr self, int[1] shifts", "unknown"),
        ("- func: probe", "  - func: probe", ""),
        ("(AllAndComplex, BFloat16, Half)", "(Everything)", "Everything"),
        ("    Generic: scale (", "    Generic: scale_it (", "no functor 'scale_it' is defined"),
    ],
)
def test_a_bad_file_leaves_the_tree(project, tmp_path, old, new, code):
    out = tmp_path / "out"
    generate(project, out)
    before = times(out)
    yaml = project / "native_functions.yaml"
    assert old in yaml.read_text()
    yaml.write_text(yaml.read_text().replace(old, new))
    done = generate(project, out)
    assert done.returncode == 1, done.stderr
    assert "native_functions.yaml:" in done.stderr and code in done.stderr
    assert times(out) == before


def test_every_missing_functor_is_named_with_its_line(project, tmp_path):
    (project / "functors" / "scale.h").write_text("// nothing here\n")
    done = generate(project, tmp_path / "out")
    assert done.returncode == 1
    for functor in ("scale", "scale_bool"):
        assert f"no functor '{functor}' is defined" in done.stderr
    assert "native_functions.yaml:12:" in done.stderr


def test_usage_errors(project, tmp_path):
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("")
    assert generate(project, foreign).returncode == 2
    link = tmp_path / "link"
    link.symlink_to(foreign)
    assert generate(project, link).returncode == 2
    assert sorted(p.name for p in foreign.iterdir()) == ["thesis.txt"]
    yaml = project / "native_functions.yaml"
    assert opgen("generate", yaml, "--extend", "aten").returncode == 2  # no --name
    assert opgen("generate", yaml, "--name", "../evil", "--extend", "aten").returncode == 2
    assert opgen("generate", tmp_path / "nowhere.yaml", "--name", "x", "--extend", "aten").returncode == 2
    unknown = opgen(
        "generate", ROOT / "schemas", "--name", "x", "--ops", "no_such_op", "--out", tmp_path / "o"
    )
    assert unknown.returncode == 2 and "no_such_op" in unknown.stderr
    full = generate(project, Path("/dev/full/x"))
    assert full.returncode == 2 and "untouched" in full.stderr


def test_selected_operators_bring_what_they_call(tmp_path):
    out = tmp_path / "small"
    done = opgen("generate", ROOT / "schemas", "--name", "small", "--ops", "relu,linear", "--out", out)
    assert done.returncode == 0, done.stderr
    headers = {f.name for f in (out / "include" / "small" / "ATen" / "ops").iterdir()}
    assert {"relu.h", "linear.h", "addmm.h", "empty.h", "copy.h"} <= headers
    assert "topk.h" not in headers and "native_layer_norm.h" not in headers
    texts = [f.read_text() for f in out.rglob("*") if f.suffix in (".cpp", ".h")]
    includes = {
        name for text in texts for name in re.findall(r"^#include <ATen/ops/(\w+\.h)>", text, re.MULTILINE)
    }
    assert includes <= headers
    defined = {name for text in texts for name in re.findall(r"^DEFINE_DISPATCH\((\w+)", text, re.MULTILINE)}
    used = {
        name for text in texts for name in re.findall(r"^REGISTER_\w*DISPATCH\((\w+)", text, re.MULTILINE)
    }
    assert used <= defined


def test_an_extension_of_some_operators(tmp_path):
    example = ROOT / "examples" / "quadratic"
    arguments = ("--kernels", example / "kernels", "--name", "quadratic", "--extend", "aten")
    some = ("--ops", "quadratic::smoothstep", "--out", tmp_path)
    done = opgen("generate", example / "native_functions.yaml", *arguments, *some)
    assert done.returncode == 0, done.stderr
    sources = " ".join(f.read_text() for f in tmp_path.glob("src/operators_*.cpp"))
    assert "quadratic_smoothstep_out::entry" in sources and "rms" not in sources
    assert [f.name for f in tmp_path.glob("src/user/*")] == ["smoothstep.cpp"]
