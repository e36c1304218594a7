"""Text of an input file only reaches generated text as a typed value."""

from __future__ import annotations

import os

import pytest
from front import ROOT
from opgen import locate, pipeline
from opgen.expand import registrations
from opgen.model import DispatchKey
from opgen.render.pages import RenderError, render
from opgen.template_views import kernels
from opgen.template_views.atoms import Cpp, Ident, Path, Py, c_literal, only_atoms
from opgen.template_views.page import Page
from test_generate_command import GOLDEN, generate, opgen, project  # noqa: F401

PAYLOADS = (
    '"); system("id"); //',
    "x; } int evil() { return 0",
    "*/ int evil; /*",
    "a\nint evil;",
    "a\\\nint evil;",
    "??/\nint evil;",
    "${view.name}",
    "<%include file='x'/>",
    "% for",
    "## x",
    "../../evil",
    "a b",
    "",
    "ä",
    "$(id)",
)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_identifiers_and_paths_refuse(payload):
    for kind in (Ident, Path):
        with pytest.raises(ValueError, match="not a"):
            kind(payload)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_literals_hold_what_they_are_given(payload):
    text = c_literal(payload)
    inside = text[1:-1]
    assert text[0] == text[-1] == '"' and text.isascii() and "\n" not in text
    assert '"' not in inside.replace('\\"', "") and "??" not in text.replace("\\?", "")
    assert inside.replace("\\?", "?").encode().decode("unicode_escape").encode("latin-1").decode() == payload


def test_templates_print_atoms_only():
    for value in (Ident("a"), Cpp("a"), Py("a"), Path("a"), 3):
        assert only_atoms(value) == str(value)
    for value in ("raw", b"raw", None, True, 1.5, object()):
        with pytest.raises(TypeError):
            only_atoms(value)


def test_a_raw_string_in_a_view_fails():
    class View:
        text = "raw"

    with pytest.raises(RenderError, match=r"sources\.json"):
        list(render([Page("x", "sources.json.mako", View)], locate.share() / "templates"))


@pytest.mark.parametrize(
    ("old", "payload"),
    [
        ("CompositeExplicitAutograd: turn", "CompositeExplicitAutograd: turn(); int evil()"),
        ("CompositeExplicitAutograd: turn", "CompositeExplicitAutograd: ../../evil::turn"),
        ("python_module: nn", "python_module: ../../evil"),
        ("python_module: nn", 'python_module: "nn\\nimport evil"'),
        ("Generic: scale (", "Generic: scale<T>()); evil( ("),
        ("dim -> int dim, int length", "dim -> int dim; int evil, int length"),
        ("float std=1,", 'float std=system("id"),'),
        ("- func: probe(", "- func: probe; int evil("),
        ("structured_inherits: TensorIteratorBase", "structured_inherits: Evil { int evil; }; struct X"),
        ("['momentum']", "['momentum; evil()']"),
        ("acme::rank(", "acme { int evil; } namespace x::rank("),
    ],
)
def test_payloads_in_fields(project, tmp_path, old, payload):  # noqa: F811
    """A payload is an error of the file."""
    yaml = project / "native_functions.yaml"
    text = yaml.read_text()
    assert old in text
    yaml.write_text(text.replace(old, payload, 1))
    done = generate(project, tmp_path / "out")
    assert done.returncode == 1, done.stderr
    assert not (tmp_path / "out").exists()


def test_a_payload_in_a_string_stays_in_it(project, tmp_path):  # noqa: F811
    yaml = project / "native_functions.yaml"
    yaml.write_text(yaml.read_text().replace('str mode="mean"', 'str mode="); evil(); //"'))
    assert generate(project, tmp_path / "out").returncode == 0
    header = (tmp_path / "out/include/golden/ATen/ops/blend.h").read_text()
    assert 'c10::string_view mode="); evil(); //")' in header
    assert [
        line for line in header.splitlines() if "evil" in line and not line.startswith(("//", "inline "))
    ] == []


def test_hostile_names_on_the_command_line(tmp_path):
    for name in PAYLOADS:
        arguments = ("--name", name or " ", "--extend", "aten", "--out", tmp_path / "out")
        assert opgen("generate", GOLDEN, *arguments).returncode == 2
    for name in ("class", "import", "lambda", "namespace", "int", "x" * 5000 + "-"):
        assert opgen("generate", GOLDEN, "--name", name, "--extend", "aten").returncode == 2
    for library in ("x; evil", "../aten"):
        done = opgen("generate", GOLDEN, "--name", "x", "--extend", library, "--out", tmp_path / "out")
        assert done.returncode == 2, done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["a b;$(x).cpp", "x\n.h", "\udcff.h", "${x}.cu", '"q".cpp', "ä.h", "-x/ .cpp"]
)
def test_hostile_names_of_kernel_files(project, tmp_path, name):  # noqa: F811
    file = project / "functors" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("int x;")
    done = generate(project, tmp_path / "out")
    assert done.returncode == 2 and "the names of kernel files hold letters" in done.stderr
    assert not (tmp_path / "out").exists()


def test_folders_of_kernels_with_links_and_pipes(project, tmp_path):  # noqa: F811
    """A linked file outside of the folder is used like others; a cycle of folders and a pipe are ignored."""
    functors = project / "functors"
    (functors / "loop").symlink_to(functors)
    os.mkfifo(functors / "pipe.cpp")
    os.mkfifo(functors / "pipe.h")
    assert generate(project, tmp_path / "out").returncode == 0
    assert not list((tmp_path / "out").rglob("pipe*"))


def test_a_hostile_list_of_operators(project, tmp_path):  # noqa: F811
    (tmp_path / "ops").write_bytes(b"\xff\xfe")
    for operators in (tmp_path / "ops", "x" * 5000, "scale; evil", "'"):
        arguments = ("--name", "aten", "--ops", operators, "--out", tmp_path / "out")
        done = opgen("generate", ROOT / "schemas", *arguments)
        assert done.returncode == 2 and "internal error" not in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "file", [GOLDEN / "native_functions.yaml", ROOT / "schemas" / "native_functions.yaml"]
)
def test_kernels_are_those_that_the_dispatch_table_shows(file):
    program, _ = pipeline.load(file)
    for function in program.functions:
        shown = {
            key
            for key in registrations.of(function, program)
            if not kernels.is_foreign(DispatchKey[str(key)])
        }
        made = {row.key for row in kernels.registrations(program, function)}
        assert made == (set() if function.manual_kernel_registration else shown), function.qualified_name
