"""The Python side of an extension: functions, methods, submodules, docstrings, named results, stubs, and the
annotations that check_schemas compares.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from building import build, needs_aten, run
from opgen import pipeline
from opgen.api import python_names

PROJECT = Path(__file__).parent / "scaling"
PREAMBLE = """
import warnings
warnings.simplefilter("ignore")
import aten, scaling
x = aten.tensor([1.0, 2.0])
def fails(f, *arguments, **named):
    try:
        f(*arguments, **named)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"
"""
pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def extension(once) -> Path:
    needs_aten()
    return once("scaling", lambda f: build(f, PROJECT, "scaling", [PROJECT / "kernels"], "--extend", "aten"))


def answer(extension: Path, expression: str) -> str:
    """Returns the value of an expression in a process that has imported the extension."""
    return run(extension, "-c", f"{PREAMBLE}print({expression})").strip()


def test_variants_say_where_an_operator_is(extension):
    assert answer(extension, "[n for n in dir(scaling) if not n.startswith('_')]") == str(
        ["halves", "linalg", "ops", "relu", "return_types", "returns_argument", "scale_by", "writes"]
    )
    found = "[hasattr(aten.Tensor, n) for n in ('scale_by', 'scale_twice_', 'writes', 'scaled')]"
    assert answer(extension, found) == "[True, True, False, False]"
    assert answer(extension, "scaling.linalg.scaled(x, 3.0).tolist()") == "[3.0, 6.0]"


def test_calls(extension):
    for call in (
        "scaling.scale_by(x, 2, times=2)",
        "x.scale_by(k=2.0, times=2)",
        "scaling.scale_by(input=x, k=4)",
    ):
        assert answer(extension, f"{call}.values.tolist()") == "[4.0, 8.0]"
    assert answer(extension, "x.scale_twice_(2) is x and x.tolist()") == "[4.0, 8.0]"
    said = answer(extension, "fails(scaling.scale_by, x)")
    assert said.startswith("TypeError: ") and "scale_by" in said and "'k'" in said


def test_results_have_names(extension):
    assert answer(extension, "scaling.scale_by(x, 2)._fields") == "('values', 'factors')"
    assert answer(extension, "type(scaling.halves(x))") == "<class 'tuple'>"  # no names begin with '_'
    program = "import pickle; print(type(pickle.loads(pickle.dumps(x.scale_by(2.0)))))"
    assert "scaling.return_types.scale_by" in run(extension, "-c", PREAMBLE + program)


def test_docstrings(extension):
    text = answer(extension, "scaling.scale_by.__doc__")
    assert text.startswith("scale_by(input, k, *, times=1) -> (Tensor values, Tensor factors)")
    assert "Multiplies by k, as often as times says." in text


def test_signatures(extension):
    for function, parameters in {
        "scaling.scale_by": "(input, k, *, times=1)",
        "aten.Tensor.scale_by": "(self, /, k, *, times=1)",
        "scaling.linalg.scaled": "(input, k)",
    }.items():
        assert answer(extension, f"__import__('inspect').signature({function})") == parameters


def test_explain_prints_names_that_are_there(extension):
    program = pipeline.load(PROJECT / "native_functions.yaml", checked=False)[0]
    here = python_names.Extension("scaling", "aten")
    printed = [name for f in program.functions for name in here.names(f, program)]
    assert len(printed) > 2 * len(program.functions) - 2
    assert answer(extension, f"[{', '.join(printed)}] and True") == "True"


def test_a_method_that_tensor_has_stays(extension):
    assert answer(extension, "x.relu().tolist(), scaling.relu(x).tolist()") == "[1.0, 2.0] [0.0, 0.0]"
    program = "import aten, warnings\nwarnings.simplefilter('error')\nimport scaling"
    with pytest.raises(AssertionError, match=r"Tensor\.relu is there already and is not replaced"):
        run(extension, "-c", program)


def test_function_modes_see_the_functions(extension):
    program = """
from aten.overrides import TorchFunctionMode
class Seen(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print(func.__name__, kwargs)
        return func(*args, **(kwargs or {}))
with Seen():
    scaling.scale_by(x, 2, times=3)
"""
    assert "scale_by {'times': 3}" in run(extension, "-c", PREAMBLE + program)


def test_stubs_have_the_functions(extension):
    package = extension / "site" / "scaling"
    assert (package / "py.typed").is_file()
    tree = ast.parse((package / "__init__.pyi").read_text(encoding="utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert functions == {"halves", "relu", "returns_argument", "scale_by", "writes"}
    module = ast.parse((package / "linalg.pyi").read_text(encoding="utf-8"))
    assert [node.name for node in module.body if isinstance(node, ast.FunctionDef)] == ["scaled"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("scaling.writes, x, x + 1", "scaling::writes: argument 'other' was written to"),
        ("scaling.returns_argument, x", "the result shares memory with argument 'self'"),
        ("scaling.scale_by, x, 2", "nothing"),
        ("aten.Tensor.scale_twice_, x, 2", "nothing"),
    ],
)
def test_annotations_are_checked(extension, call, said):
    found = answer(extension, f"aten.check_schemas()(lambda: fails({call}))()")
    assert said in found
    if said != "nothing":
        text = (PROJECT / "native_functions.yaml").read_text(encoding="utf-8").splitlines()
        name = call.partition(",")[0].partition(".")[2]
        line = next(i for i, line in enumerate(text, 1) if f"::{name}(" in line)
        assert found.endswith(f"at native_functions.yaml:{line}")
