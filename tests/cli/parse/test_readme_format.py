"""The statements of ATen's README about the format, one by one, with the expected results.

The expectations are written by hand from its text. Where today's torchgen is stricter or more lenient than
the README, the comment says which of the two is followed.
"""

import pytest
from front import checked
from opgen.api import dump, runtime_schema
from opgen.explain import table
from opgen.model import DispatchKey, Kind


def record(text: str, name: str | None = None) -> dict:
    """Returns the record of the (first) function of a file without errors."""
    program, found = checked(text)
    assert [d.message for d in found if d.severity.name == "error"] == []
    by_name = {f.qualified_name: f for f in program.functions}
    return dump.record(by_name[name] if name else program.functions[0])


def codes(text: str) -> list[str]:
    return [d.code for d in checked(text)[1] if d.severity.name == "error"]


def entry(func: str, *fields: str) -> str:
    return f"- func: {func}\n" + "".join(f"  {field}\n" for field in fields)


# One argument of each type: its type in C++, and in the strings of Python's argument parser.
TYPES = [
    ("Tensor x", "const at::Tensor & x", "Tensor x"),
    ("Tensor? x", "const ::std::optional<at::Tensor> & x", "Tensor? x"),
    ("Tensor[] x", "at::TensorList x", "TensorList x"),
    ("int[] x", "at::IntArrayRef x", "IntArrayRef x"),
    ("int[2] x", "at::IntArrayRef x", "IntArrayRef[2] x"),  # no effect in C++; Python accepts a bare scalar
    ("int x", "int64_t x", "int64_t x"),
    ("float x", "double x", "double x"),
    ("bool x", "bool x", "bool x"),
    ("str x", "c10::string_view x", "c10::string_view x"),
    ("Scalar x", "const at::Scalar & x", "Scalar x"),
    ("Generator? x", "::std::optional<at::Generator> x", "Generator? x"),
    ("bool[1] x", "::std::array<bool,1> x", "::std::array<bool,1> x"),
    ("bool[4] x", "::std::array<bool,4> x", "::std::array<bool,4> x"),
    ("Scalar? x", "const ::std::optional<at::Scalar> & x", "Scalar? x"),
    ("int? x", "::std::optional<int64_t> x", "int64_t? x"),
    ("float? x", "::std::optional<double> x", "double? x"),
    ("bool? x", "::std::optional<bool> x", "bool? x"),
    # Defaults: scalars, one for a sized list, lists, booleans, an empty list for a tensor, None.
    ("int x=0", "int64_t x=0", "int64_t x=0"),
    ("float x=5.0", "double x=5.0", "double x=5.0"),
    ("int[2] x=2", "at::IntArrayRef x=2", "IntArrayRef[2] x=2"),
    ("int[] x=[0, 0]", "at::IntArrayRef x={0, 0}", "IntArrayRef x={0, 0}"),
    ("bool x=True", "bool x=true", "bool x=True"),
    ("Tensor x=[]", "const at::Tensor & x={}", "Tensor x=None"),
    ("Tensor? x=[]", "const ::std::optional<at::Tensor> & x={}", "Tensor? x=None"),
    ("Tensor? x=None", "const ::std::optional<at::Tensor> & x={}", "Tensor? x=None"),
    ("Generator? x=None", "::std::optional<at::Generator> x=::std::nullopt", "Generator? x=None"),
    ("Scalar? x=None", "const ::std::optional<at::Scalar> & x=::std::nullopt", "Scalar? x=None"),
]


@pytest.mark.parametrize(("argument", "cpp", "python"), TYPES)
def test_argument_types_and_defaults(argument, cpp, python):
    seeded = "tags: nondeterministic_seeded" if "Generator" in argument else "variants: function"
    found = record(entry(f"f({argument}) -> Tensor", seeded))
    assert found["cpp"]["function"] == f"at::Tensor f({cpp})"
    # Without a tensor it is a factory, whose Python form also has tensor options.
    assert found["python"].partition(", *")[0].rstrip(")") == f"f({python}".rstrip(")")


RETURNS = [
    ("Tensor", "at::Tensor"),
    ("Tensor result", "at::Tensor"),  # ReturnType [retarg0]
    ("Tensor[]", "::std::vector<at::Tensor>"),
    ("(Tensor, Tensor)", "::std::tuple<at::Tensor,at::Tensor>"),
    ("(Tensor values, Tensor indices)", "::std::tuple<at::Tensor,at::Tensor>"),
    ("()", "void"),
]


@pytest.mark.parametrize(("returns", "cpp"), RETURNS)
def test_return_types(returns, cpp):
    assert (
        record(entry(f"f(Tensor self) -> {returns}"))["cpp"]["function"]
        == f"{cpp} f(const at::Tensor & self)"
    )


def test_return_names_are_kept():
    returns = record(entry("f(Tensor self) -> (Tensor values, Tensor indices)"))["returns"]
    assert [r["name"] for r in returns] == ["values", "indices"]


def test_defaults_are_not_supported_on_returns():
    assert codes(entry("f(Tensor self) -> Tensor x=[]"))


def test_types_that_are_not_listed_are_refused():
    """So are older names that the README mentions in passing, such as IntList and BoolTensor."""
    for type in ("IntList", "BoolTensor", "FloatTensor", "double", "Tuple"):
        assert codes(entry(f"f({type} x) -> Tensor")) == ["OPG108"]


def alias(set: str, write: bool = False, after: str = "") -> dict:
    return {"set": list(set), "write": write, "after": list(after)}


# The four cases of annotations; `Tensor!` gets a letter that nothing else has.
ANNOTATIONS = [
    ("f(Tensor(a) self) -> Tensor(a)", [alias("a")], [alias("a")]),
    ("f_(Tensor(a!) self) -> Tensor(a!)", [alias("a", True)], [alias("a", True)]),
    ("f(Tensor self, Tensor! x) -> ()", [None, alias("a", True)], []),
    (
        "f(Tensor self, Tensor(a!) x, Tensor! y, Tensor! z) -> ()",
        [None, alias("a", True), alias("b", True), alias("c", True)],
        [],
    ),
    (
        "f(Tensor(b) x, Tensor! self) -> Tensor(b)",
        [alias("b"), alias("a", True)],
        [alias("b")],
    ),
    (
        "f(Tensor(a! -> a|b) self, Tensor(b) other) -> (Tensor(a), Tensor(b))",
        [alias("a", True, "ab"), alias("b")],
        [alias("a"), alias("b")],
    ),
    ("f(Tensor(a|b) self) -> Tensor(a)", [alias("ab")], [alias("a")]),
    # A view in a list: the input enters the wildcard set.
    (
        "chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
        [alias("a", after="*")],
        [alias("a")],
    ),
]


@pytest.mark.parametrize(("schema", "arguments", "returns"), ANNOTATIONS)
def test_annotations(schema, arguments, returns):
    found = record(entry(schema, "dispatch:\n    CompositeExplicitAutograd: f"))
    assert [a["alias"] for a in found["arguments"][: len(arguments)]] == arguments
    assert [r["alias"] for r in found["returns"]] == returns
    assert found["schema"] == schema


def test_written_tensors_are_references():
    """`Tensor!` is written to like `Tensor(a!)`."""
    for annotation in ("Tensor!", "Tensor(a!)", "Tensor(a! -> a|b)"):
        function = record(entry(f"f(Tensor self, {annotation} x) -> ()"))["cpp"]["function"]
        assert function == "void f(const at::Tensor & self, at::Tensor & x)"


def test_the_shorthand_is_written_out_at_run_time():
    program, _ = checked(entry("f(Tensor(b) self, Tensor! x) -> Tensor(b)"))
    assert runtime_schema.text(program.functions[0]) == "aten::f(Tensor(b) self, Tensor(a!) x) -> Tensor(b)"


def test_const_references_on_demand():
    found = record(entry("f_(Tensor(a!) self) -> Tensor(a!)", "use_const_ref_for_mutable_tensors: True"))
    assert found["cpp"]["function"] == "const at::Tensor & f_(const at::Tensor & self)"


THREE_FORMS = (
    entry("abs(Tensor self) -> Tensor", "variants: function, method")
    + entry("abs_(Tensor(a!) self) -> Tensor(a!)", "variants: function, method")
    + entry("abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)")
)


def test_the_three_forms_of_an_operator():
    program, found = checked(THREE_FORMS)
    assert not [d for d in found if d.severity.name == "error"]
    assert [f.kind for f in program.functions] == [Kind.functional, Kind.inplace, Kind.out]
    cpp = [dump.record(f)["cpp"] for f in program.functions]
    assert cpp[0]["function"] == "at::Tensor abs(const at::Tensor & self)"
    assert cpp[0]["method"] == "at::Tensor abs() const"
    assert cpp[1]["function"] == "at::Tensor & abs_(at::Tensor & self)"
    assert cpp[1]["method"] == "at::Tensor & abs_() const"
    assert cpp[2]["function"] == "at::Tensor & abs_out(at::Tensor & out, const at::Tensor & self)"


def test_an_out_function_needs_its_annotation():
    assert codes(entry("abs.out(Tensor self, *, Tensor out) -> Tensor")) == ["OPG327"]


def test_an_in_place_operator_returns_self():
    assert "OPG402" in codes(entry("f_(Tensor(a!) self) -> Tensor"))


def test_methods_leave_self_out_wherever_it_stands():
    found = record(
        entry("where(Tensor cond, Tensor self, Tensor other) -> Tensor", "variants: function, method")
    )
    assert (
        found["cpp"]["method"] == "at::Tensor where(const at::Tensor & cond, const at::Tensor & other) const"
    )
    assert codes(entry("f(Tensor cond) -> Tensor", "variants: function, method")) == ["OPG331"]
    assert record(entry("f(Tensor self) -> Tensor"))["variants"] == ["function"]


def test_a_suffix_of_the_arguments_may_have_defaults():
    assert codes(entry("norm(Tensor self, Scalar p=2, int dim, bool keepdim=False) -> Tensor")) == ["OPG321"]
    assert codes(entry("f(Tensor self, int p=2, *, int dim) -> Tensor")) == ["OPG321"]
    assert not codes(entry("f(Tensor self, int p=2, *, int dim) -> Tensor", "cpp_no_default_args: ['p']"))


def test_arguments_after_the_star_are_keywords():
    arguments = record(entry("f(Tensor self, *, int n) -> Tensor"))["arguments"]
    assert [a["kwarg_only"] for a in arguments] == [False, True]


def test_factories():
    """A function without tensors is a factory; with a tensor, category_override makes it one."""
    assert "dtype=None" in record(entry("f(int n) -> Tensor"))["python"]
    assert "dtype" not in record(entry("f(Tensor self) -> Tensor"))["python"]
    assert "dtype=None" in record(entry("f(Tensor self) -> Tensor", "category_override: factory"))["python"]


def test_overloads():
    """Overload names differ within a function, and at most one is empty."""
    two = entry("f(Tensor self) -> Tensor") + entry("f.n(Tensor self, int n) -> Tensor")
    assert not codes(two)
    for second in ("f(Tensor self, int n) -> Tensor", "f(Tensor self) -> Tensor"):
        assert codes(entry("f(Tensor self) -> Tensor") + entry(second))
    assert codes(two + entry("f.n(Tensor self, float n) -> Tensor"))
    assert not codes(two + entry("g.n(Tensor self, int n) -> Tensor"))


def test_dispatch_left_out_names_the_kernel_after_the_function():
    """The overload is ignored, and out functions get _out."""
    text = entry("func.overload(Tensor self) -> Tensor") + entry(
        "func.overload_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    )
    assert record(text, "func.overload")["dispatch"] == {"CompositeImplicitAutograd": "func"}
    assert record(text, "func.overload_out")["dispatch"] == {"CompositeImplicitAutograd": "func_out"}


def test_backends_can_share_a_kernel():
    found = record(entry("f(Tensor self) -> Tensor", "dispatch:\n    CPU, CUDA: f_any"))
    assert found["dispatch"] == {"CPU": "f_any", "CUDA": "f_any"}


def test_two_alias_keys_are_an_error():
    keys = "dispatch:\n    CompositeExplicitAutograd: f_e\n    CompositeImplicitAutograd: f_i"
    assert codes(entry("f(Tensor self) -> Tensor", keys))


def rows(*keys: str) -> dict[str, str]:
    program, _ = checked(entry("f(Tensor self) -> Tensor"))
    found = table.of("f", None, program, map(DispatchKey.__getitem__, keys))
    return {row.key.value: row.kernel for row in found.rows}


def test_a_backends_own_kernel_comes_before_an_alias_key():
    found = rows("CPU", "CompositeImplicitAutograd")
    assert (found["CPU"], found["CUDA"]) == ("fn_CPU", "fn_CompositeImplicitAutograd")


def test_explicit_composites_serve_every_backend_and_leave_autograd_alone():
    found = rows("CompositeExplicitAutograd")
    assert {found[k] for k in ("CPU", "CUDA", "XLA", "SparseCPU")} == {"fn_CompositeExplicitAutograd"}
    assert found["AutogradCPU"] == "fallback"


def test_implicit_composites_serve_autograd_too():
    found = rows("CompositeImplicitAutograd")
    assert found["CPU"] == found["AutogradCPU"] == "fn_CompositeImplicitAutograd"


def test_explicit_comes_before_implicit_for_inference_and_training():
    found = rows("CompositeImplicitAutograd", "CompositeExplicitAutograd")
    assert "fn_CompositeImplicitAutograd" not in found.values()


def test_the_example_of_the_python_dispatcher():
    """dispatcher.register(["CPU", "XLA", "AutogradCPU", "CompositeImplicitAutograd"])"""
    found = rows("CPU", "XLA", "AutogradCPU", "CompositeImplicitAutograd")
    assert (found["CPU"], found["XLA"], found["AutogradCPU"]) == ("fn_CPU", "fn_XLA", "fn_AutogradCPU")
    assert found["CUDA"] == found["AutogradCUDA"] == "fn_CompositeImplicitAutograd"
    assert found["AutogradXLA"] == "fallback"


def test_guards_and_checks():
    plain = record(entry("f(Tensor self) -> Tensor"))
    assert (plain["device_guard"], plain["device_check"]) == (True, "ExactSame")
    off = record(entry("f(Tensor self) -> Tensor", "device_guard: False", "device_check: NoCheck"))
    assert (off["device_guard"], off["device_check"]) == (False, "NoCheck")


def test_manual_registration_excludes_dispatch():
    assert not codes(entry("f(Tensor self) -> Tensor", "manual_kernel_registration: True"))
    both = ("manual_kernel_registration: True", "dispatch:\n    CPU: f")
    assert codes(entry("f(Tensor self) -> Tensor", *both))


@pytest.mark.parametrize("module", ["nn", "fft", "linalg", "sparse", "special"])
def test_python_modules(module):
    assert (
        record(entry(f"{module}_f(Tensor self) -> Tensor", f"python_module: {module}"))["python_module"]
        == module
    )


def test_backward_functions_get_no_python_binding():
    assert record(entry("f_backward(Tensor self) -> Tensor"))["python"] is None
