"""The attributes of an entry: the extension of attributes/ is compiled, and each attribute's effect is
observed at run time or by what a compiler accepts and rejects. test_quadratic_project.py has those that only
a library can show (methods, modules, factories).
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from building import ROOT, build, needs_aten, run

PROJECT = Path(__file__).parent / "attributes"
COMPILER = shutil.which("g++") or shutil.which("c++")
pytestmark = pytest.mark.slow
PREAMBLE = """
import aten, attributes
ops = aten.ops.attributes
ghosts = [aten.empty(2, device=f"privateuseone:{i}") for i in (0, 1)]
def fails(f, *arguments):
    try:
        f(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"
"""


@pytest.fixture(scope="session")
def extension(once) -> Path:
    needs_aten()
    return once("attributes", build_extension)


def build_extension(folder: Path) -> None:
    kernels = folder / "kernels"
    shutil.copytree(PROJECT / "kernels", kernels)
    shutil.copy(ROOT / "tests" / "cpp" / "ghost_device.h", kernels)
    build(folder, PROJECT, "attributes", [kernels], "--extend", "aten")


def answers(extension: Path, *expressions: str) -> list[str]:
    """Returns the values of the expressions in a process that has imported the extension."""
    lines = "".join(f"print(repr({e}).replace(chr(10), ' '))\n" for e in expressions)
    return run(extension, "-c", PREAMBLE + lines).splitlines()


def test_device_guard_switches_to_the_tensors_device(extension):
    found = answers(extension, "[ops.guarded(g) for g in ghosts]", "[ops.unguarded(g) for g in ghosts]")
    assert found == ["[0, 1]", "[0, 0]"]


def test_device_check_wants_one_device(extension):
    found = answers(
        extension,
        "fails(ops.checked, *ghosts)",
        "ops.checked(ghosts[1], ghosts[1])",
        "ops.unchecked(*ghosts)",
    )
    assert "RuntimeError" in found[0] and "checked" in found[0] and "other" in found[0]
    assert "privateuseone:0" in found[0] and "privateuseone:1" in found[0]
    assert found[1:] == ["1", "1"]


def test_tags_are_there_at_run_time(extension):
    found = answers(
        extension,
        "sorted(tag.name for tag in ops.tagged.default.tags)",
        "aten.Tag.pointwise in ops.tagged.default.tags",
        "aten.Tag.pointwise in ops.by_hand.default.tags",
    )
    assert found == ["['dynamic_output_shape', 'pointwise']", "True", "False"]


def test_kernels_that_are_registered_by_hand(extension):
    found = answers(
        extension,
        "ops.registered_by_hand(aten.ones(2)).tolist()",
        "fails(ops.unregistered, aten.ones(2))",
    )
    assert found[0] == "[1.0, 1.0]"
    assert found[1].strip("'\"").startswith("NotImplementedError") and "unregistered" in found[1]


def test_defaults_stay_outside_of_cpp(extension):
    found = answers(extension, "ops.required(aten.ones(1))", "ops.required(aten.ones(1), 3)")
    assert found == ["12", "32"]


def test_written_arguments(extension):
    found = answers(
        extension,
        "(t := aten.zeros(2), ops.constant(aten.ones(2), t))[0].tolist()",
        "(t := aten.zeros(2), ops.writable(aten.ones(2), t))[0].tolist()",
    )
    assert found == ["[1.0, 1.0]"] * 2


def compiles(extension: Path, header: str, expression: str) -> bool:
    """Whether a program with the expression compiles, given a tensor `t` and a const one `c`."""
    import aten

    installed = Path(aten.__file__).parent / "include" / "aten"
    own = extension / "generated" / "attributes" / "include" / "attributes"
    program = f"#include <ATen/ops/{header}.h>\nvoid f(at::Tensor t, const at::Tensor c) {{ {expression}; }}"
    command = [COMPILER, "-std=c++20", "-fsyntax-only", "-x", "c++", f"-I{installed}", f"-I{own}", "-"]
    done = subprocess.run(command, input=program + "\n", capture_output=True, text=True, check=False)
    return done.returncode == 0


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize(
    ("header", "taken", "refused"),
    [
        ("attributes_required", "attributes::required(t, 1)", "attributes::required(t)"),
        ("attributes_required", "attributes::required(t, 1, 2)", "attributes::required(t, 1, 2, 3)"),
        ("attributes_by_hand", "attributes::__dispatch_by_hand(t, 1)", "attributes::by_hand(t, 1)"),
        ("attributes_constant", "attributes::constant(t, c)", "attributes::constant(t)"),
        ("attributes_writable", "attributes::writable(t, t)", "attributes::writable(t, c)"),
    ],
)
def test_what_a_cpp_program_may_say(extension, header, taken, refused):
    assert compiles(extension, header, taken)
    assert not compiles(extension, header, refused)
