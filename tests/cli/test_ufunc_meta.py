"""The meta functions that are generated for elementwise operators with functors where no file defines one."""

from pathlib import Path

import pytest
from opgen import locate, pipeline
from opgen.model.dtypes import DTYPES, WITHOUT_LOOPS
from opgen.render import library
from opgen.select import sources
from opgen.template_views import library as views
from opgen.template_views.ufunc import CPP_TYPES

FUNCTORS = """
template <class T>
C10_HOST_DEVICE T mixed(T a, T b) { return a; }
template <class T>
C10_HOST_DEVICE bool above(T a, T b) { return a > b; }
template <class T>
C10_HOST_DEVICE real_of<T> size(T a) { return abs(a); }
"""
ENTRY = """
- func: {name}({arguments}) -> Tensor
  structured_delegate: {name}.out
- func: {name}.out({arguments}, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  ufunc_inner_loop:
    Generic: {functor} (Floating)
"""
ONE, TWO, THREE = "Tensor a", "Tensor a, Tensor b", "Tensor a, Tensor b, Tensor c"


def generated(folder: Path, entries: str, **kernels: str) -> dict[str, str]:
    """Returns path -> text of a library of the entries, with stubs for missing kernels."""
    (folder / "native_functions.yaml").write_text(entries)
    (folder / "kernels").mkdir()
    for stem, text in {"functors": FUNCTORS, **kernels}.items():
        suffix = ".h" if "template" in text else ".cpp"
        (folder / "kernels" / f"{stem}{suffix}").write_text(text)
    program, report = pipeline.load(folder)
    assert not report.failed, report.sorted()
    own = sources.user_sources([folder / "kernels"], "mine")
    plan = views.build_library(program, own, views.LibraryOptions("mine", stubs=True))
    files = library.files(plan, locate.share() / "templates")
    return {f.path: f.content.decode() for f in files}


def meta(files: dict[str, str], name: str) -> str:
    """Returns the declaration or definition of a meta function, on one line."""
    text = files[f"include/mine/ATen/ops/{name}_meta.h"].partition("using meta_return_ty = void;")[2]
    return " ".join(text.partition("\n};")[0].split())


@pytest.mark.parametrize(
    ("functor", "arguments", "body"),
    [
        ("mixed", ONE, "build_borrowing_unary_op(maybe_get_output(), a)"),
        ("mixed", f"{ONE}, Scalar s", "build_borrowing_unary_op(maybe_get_output(), a)"),
        ("mixed", TWO, "build_borrowing_binary_op(maybe_get_output(), a, b)"),
        ("above", ONE, "build_borrowing_unary_force_boolean_op(maybe_get_output(), a)"),
        ("above", TWO, "build_borrowing_comparison_op(maybe_get_output(), a, b)"),
    ],
)
def test_the_functor_says_what_dtype_comes_out(tmp_path, functor, arguments, body):
    files = generated(tmp_path, ENTRY.format(name="mine", functor=functor, arguments=arguments))
    defined = meta(files, "mine")
    assert defined.startswith("meta_return_ty meta(const at::Tensor & a")
    assert defined.endswith(f"{{ {body}; }}")
    assert "structured_mine::meta(" not in files["src/stubs_0.cpp"]


def is_declared_only(files: dict[str, str], name: str) -> bool:
    declared = meta(files, name)
    stub = f"structured_{name}::meta(" in files["src/stubs_0.cpp"]
    return declared.startswith("TORCH_API meta_return_ty meta(") and declared.endswith(");") and stub


@pytest.mark.parametrize(("functor", "arguments"), [("size", ONE), ("mixed", THREE)])
def test_what_no_rule_covers_is_written_by_hand(tmp_path, functor, arguments):
    files = generated(tmp_path, ENTRY.format(name="mine", functor=functor, arguments=arguments))
    assert is_declared_only(files, "mine")


def test_functors_that_disagree_say_nothing(tmp_path):
    entry = ENTRY.format(name="mine", functor="mixed", arguments=TWO) + "    ScalarOnly: above (Bool)\n"
    assert is_declared_only(generated(tmp_path, entry), "mine")


def test_a_meta_function_that_is_written_counts(tmp_path):
    entries = "".join(ENTRY.format(name=name, functor="mixed", arguments=TWO) for name in ("mine", "yours"))
    files = generated(tmp_path, entries, mine="#include <ATen/ops/mine_meta.h>\n")
    assert is_declared_only(files, "mine")
    assert meta(files, "yours").startswith("meta_return_ty meta(")


def test_an_operator_that_is_no_loop_over_elements_gets_none(tmp_path):
    entry = ENTRY.format(name="mine", functor="mixed", arguments=TWO)
    entry = entry.replace("  structured_inherits: TensorIteratorBase\n", "")
    loop = "  ufunc_inner_loop:\n    Generic: mixed (Floating)\n"
    files = generated(tmp_path, entry.replace(loop, "  dispatch:\n    CPU: mine_out\n"))
    assert is_declared_only(files, "mine")


def test_dtypes_without_loops_are_those_that_have_no_cpp_type():
    assert set(DTYPES) - WITHOUT_LOOPS == CPP_TYPES.keys()
