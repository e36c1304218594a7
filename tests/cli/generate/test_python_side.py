"""Which operators get Python bindings, the notes about the others, and the numbers of tags."""

from __future__ import annotations

import re

import pytest
from front import ROOT, checked
from opgen import pipeline
from opgen.api import python_bound
from opgen.parse import tags
from opgen.template_views import autogen, notes, register
from opgen.template_views.kernels import registrations
from opgen.template_views.operators import tag_names
from opgen.template_views.python_calls import call
from opgen.template_views.python_model import NUMBERS_AS_TENSORS, bindings, numbers_as_tensors_ops
from opgen.template_views.python_signatures import function_stubs
from opgen.template_views.python_types import unquoted

# Names of every family of PyTorch's list, similar names, and names that a user might choose.
NAMES = (
    *("my_forward", "my_forwards", "forward", "my_backward", "my_backward_weight"),
    *("my_backward_gradient", "backward_mine", "my_jvp", "my_overrideable", "range", "ranges", "arange"),
    *("_range", "_sum", "_sum_all", "sum_all", "lift", "lifted", "uplift", "_qr_raw", "_th_add", "_thnn_x"),
    *("sparse_coo_tensor", "_sparse_csr_tensor_unsafe", "sparse_tensor", "_svd", "_cholesky_x", "cholesky"),
    *("_inverse_helper", "_solve", "_prod_x", "_cumsum", "_cumprod_y", "_triangular_solve", "scale"),
)


VIEWS = """\
- func: foo(Tensor(a) self) -> Tensor(a)
- func: foo_copy(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: foo_copy
  tags: view_copy
- func: bar(Tensor(a) self) -> Tensor(a)
- func: bar_copy(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: bar_copy
- func: baz(Tensor(a) self) -> Tensor(a)
- func: baz_copy(Tensor self) -> Tensor
  tags: view_copy
"""


def test_copies_are_made_for_those_that_say_so_and_have_no_kernel_by_hand():
    program, _ = checked(VIEWS)
    copied = {f.name.name.base: autogen.view_of(f, program) for f in program.functions if not f.is_view}
    assert {name: view and str(view.name) for name, view in copied.items()} == {
        "foo_copy": "foo",
        "bar_copy": None,
        "baz_copy": None,
    }


OVERLOADS = """\
- func: cut.at(Tensor(a -> *) self, int n) -> Tensor(a)[]
- func: cut_copy.at(Tensor self, int n) -> Tensor[]
  dispatch:
    CompositeExplicitAutogradNonFunctional: cut_copy_at
  tags: view_copy
- func: cut.by(Tensor(a -> *) self, SymInt[] n) -> Tensor(a)[]
- func: cut_copy.by(Tensor self, SymInt[] n) -> Tensor[]
  dispatch:
    CompositeExplicitAutogradNonFunctional: cut_copy_by_symint
  tags: view_copy
- func: cut.whole(Tensor(a -> *) self) -> Tensor(a)[]
- func: cut_copy.whole(Tensor self) -> Tensor[]
  dispatch:
    CompositeExplicitAutogradNonFunctional: cut_copy_at
  tags: view_copy
"""


def test_copies_of_overloads_are_made_where_the_kernel_names_the_overload():
    program, _ = checked(OVERLOADS)
    copies = [f for f in program.functions if not f.is_view]
    views = [autogen.view_of(f, program) for f in copies]
    assert [v and str(v.name) for v in views] == ["cut.at", "cut.by", None]
    (page,) = autogen.autogen_pages(program)
    made = [(str(k.decl), str(k.base)) for k in page.view.kernels]
    assert made == [
        ("::std::vector<at::Tensor> cut_copy_at(const at::Tensor & self, int64_t n)", "cut_at"),
        (
            "::std::vector<at::Tensor> cut_copy_by_symint(const at::Tensor & self, c10::SymIntArrayRef n)",
            "cut_by",
        ),
    ]


def test_a_list_of_outputs_is_taken_whole():
    program = program_of(
        "cut(Tensor self) -> Tensor[]\n  dispatch:\n    CPU: cut",
        "cut.out(Tensor self, *, Tensor(a!)[] out) -> ()\n  dispatch:\n    CPU: cut_out",
    )
    ((overload,),) = [b.overloads for b in bindings(program)]
    assert overload.out is not None
    assert str(call(overload, overload.out, None).exprs) == "_a.tensor(0), at::TensorList(_a.tensors(1))"


def test_queries_have_bindings_by_hand():
    """PyTorch generates them, so dumps say that they are bound."""
    entries = [f"{name}(Tensor self) -> bool" for name in ("is_complex", "is_conj", "is_small")]
    program = program_of(*entries)
    assert all(python_bound.is_bound(f) for f in program.functions)
    assert [b.name for b in bindings(program)] == ["is_small"]


@pytest.mark.parametrize(
    ("text", "value"), [("'mean'", "mean"), ('"a b"', "a b"), ("''", ""), ("none", "none"), ("'a", "'a")]
)
def test_only_quotes_are_taken_off(text, value):
    assert unquoted(text) == value


def test_no_kernel_is_lost_when_they_are_spread_over_files(monkeypatch):
    """A file without kernels is not written; those after it are."""
    monkeypatch.setattr(register, "KERNELS_PER_FILE", 1)
    names = [f"op_{i}" for i in range(9)]
    program = program_of(*(f"{name}(Tensor self) -> Tensor\n  dispatch:\n    CPU: {name}" for name in names))
    rows = [row for f in program.functions for row in registrations(program, f)]
    pages = list(register.register_pages(rows))
    assert 1 < len(pages) < 16
    found = [kernel.symbol for page in pages for kernel in page.view.kernels]
    assert sorted(found) == [f"CPU_{name}" for name in names]


def program_of(*entries: str):
    program, faults = checked("".join(f"- func: {entry}\n" for entry in entries))
    assert not faults, faults
    return program


def test_families_are_pytorchs():
    theirs = pytest.importorskip("torchgen.packaged.autograd.gen_python_functions").SKIP_PYTHON_BINDINGS
    for name in NAMES:
        (function,) = program_of(f"{name}(Tensor self) -> Tensor").functions
        assert python_bound.is_bound(function) == (not any(p.match(name) for p in theirs)), name
        assert (python_bound.hiding_family(function) is None) == python_bound.is_bound(function), name


@pytest.mark.parametrize("name", sorted(NUMBERS_AS_TENSORS - {"to", "_to_copy"}))
def test_numbers_for_tensors_where_pytorch_takes_them(name):
    """Excludes `to`, which has overloads of TorchScript's own, and `_to_copy`, which has no second tensor."""
    torch = pytest.importorskip("torch")
    overload = torch._C._jit_resolve_packet(f"aten::{name}", torch.ones(2), 2) or "default"
    chosen = getattr(getattr(torch.ops.aten, name), overload)
    assert str(chosen._schema.arguments[1].type) == "Tensor"


def test_numbers_as_tensors_ops_are_those_of_the_program():
    program = program_of(
        "add.Tensor(Tensor self, Tensor other) -> Tensor", "mine::mul(Tensor self) -> Tensor"
    )
    assert numbers_as_tensors_ops(program) == ["aten::add"]


def test_somebody_is_told_of_an_operator_without_function():
    program = program_of(
        "my_forward(Tensor self) -> Tensor",
        "scale(Tensor self) -> Tensor",
        "mine::their_forward(Tensor self) -> Tensor",
    )
    (note,) = notes.unbound(program)
    assert note.startswith("note: FILE:1:") and "'my_forward' gets no Python function" in note
    assert "'.*_forward'" in note and "ops.aten.my_forward" in note
    assert [b.name for b in bindings(program)] == ["scale"]


def test_many_such_operators_are_counted():
    program = program_of(*(f"f{i}_forward(Tensor self) -> Tensor" for i in range(20)))
    found = list(notes.unbound(program))
    assert len(found) == 6 and found[-1] == "note: 15 more operators get none, for the same reason"


def test_only_halves_of_ours_have_no_function():
    """Helpers, tangents, functions that backends override and those for tracers are called as ops.aten.NAME,
    as in PyTorch; all others have a function, that of range written by hand.
    """
    program, _ = pipeline.load(ROOT / "schemas")
    hidden = {str(f.name.name) for f in program.functions if python_bound.hiding_family(f)}
    assert hidden
    assert not [
        n for n in hidden if not re.search(r"_(backward|forward|jvp|overrideable|helper)$|^lift|^range$", n)
    ]


def test_a_single_list_is_also_taken_as_separate_arguments():
    method = " -> Tensor\n  variants: method"
    schemas = ("f(Tensor self, int[] size, int n)", "g(Tensor self)", "h(Tensor self, int[] size)")
    stubs = function_stubs(bindings(program_of(*(schema + method for schema in schemas))), {})
    assert [(s.name, s.params) for s in stubs if "*" in s.params] == [("h", "self, *size: _int")]


def test_a_tag_has_its_number_everywhere():
    shipped, _ = pipeline.load(ROOT / "schemas")
    assert tag_names(shipped) == list(tags.BUILT_IN)
    golden, _ = pipeline.load(ROOT / "tests" / "golden" / "native_functions.yaml")
    assert tag_names(golden) == list(tags.BUILT_IN)


ALONE = "hist.out(Tensor self, int bins, *, Tensor(a!) out) -> Tensor(a!)"


@pytest.mark.parametrize(
    ("schemas", "required"),
    [
        ([ALONE], True),
        ([ALONE, "hist(Tensor self, int bins) -> Tensor"], False),
        ([ALONE, "hist(Tensor self, int bins, Tensor weight) -> Tensor"], True),
    ],
)
def test_out_is_required_where_no_operator_runs_without_it(schemas, required):
    program, _ = checked("".join(f"- func: {s}\n  dispatch:\n    CPU: k{i}\n" for i, s in enumerate(schemas)))
    (binding,) = bindings(program)
    (out,) = [p for o in binding.overloads if o.out for p in o.parameters if p.outputs]
    assert (out.default is None, not out.takes_none) == (required, required)
    stubs = [stub.params for stub in function_stubs([binding], {})]
    assert ("out: Tensor" if required else "out: Tensor | None = None") in [s.split(", ")[-1] for s in stubs]
