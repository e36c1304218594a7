"""Signatures of small entries, written by hand: one test for each feature of a convention."""

import pytest
from opgen import pipeline
from opgen.api import convert, cpp, ctype, dispatcher, native, python, runtime_schema, structured, ufunc
from opgen.api.python_groups import DuplicateSignature, groups
from opgen.model import UfuncKey

YAML = """
- func: pool(Tensor self, SymInt[2] size, *, int[2]? stride=None, str mode='a "b"', Scalar? s=None) -> Tensor
  variants: function, method
  dispatch:
    CPU: pool
    CUDA: pool_symint

- func: pool.out(Tensor self, SymInt[2] size=1, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: pool_out

- func: >-
    make(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None,
    bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor
  dispatch:
    CPU: make

- func: >-
    split(Tensor self, Tensor? w, Tensor[] list, Tensor?[] maybe, bool[3] mask)
    -> (Tensor values, Tensor[] rest)

- func: >-
    two.min(Tensor self, int dim, float eps=1e-05, *, Tensor(a!) min, Tensor(b!) indices)
    -> (Tensor(a!) values, Tensor(b!) indices)
  dispatch:
    CPU: two_out

- func: add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  structured_delegate: add.out

- func: add_(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
  variants: method
  structured_delegate: add.out

- func: add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  ufunc_inner_loop:
    Generic: add (AllAndComplex)

- func: sum(Tensor self, int? dim=None, Tensor? w=None, Tensor[] more=[]) -> Tensor
  structured_delegate: sum.out

- func: sum.out(Tensor self, int? dim=None, Tensor? w=None, Tensor[] more=[], *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  precomputed:
  - dim -> int axis, bool whole
  - int count
  dispatch:
    CPU: sum_out
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("api") / "native_functions.yaml"
    path.write_text(YAML)
    program, report = pipeline.load(path, checked=False)
    assert not report.failed, report.diagnostics
    return program


def load(path):
    return pipeline.load(path, checked=False)[0]


@pytest.fixture(scope="module")
def function(program):
    return lambda name: program.by_name[name]


@pytest.fixture(scope="module")
def group(program):
    return lambda name: program.group_of[name]


def test_types_are_spelled_as_in_aten():
    optional_list = ctype.ConstRef(ctype.List(ctype.Optional(ctype.TENSOR)))
    assert str(optional_list) == "const c10::List<::std::optional<at::Tensor>> &"
    assert str(ctype.Tuple((ctype.TENSOR, ctype.Vector(ctype.TENSOR)))) == (
        "::std::tuple<at::Tensor,::std::vector<at::Tensor>>"
    )
    assert str(ctype.Array(ctype.BOOL, 3)) == "::std::array<bool,3>"
    assert ctype.ConstRef(ctype.TENSOR) == ctype.ConstRef(ctype.TENSOR) != ctype.MutRef(ctype.TENSOR)


def test_cpp_forms(function):
    forms = [s.decl() for s in cpp.functions(function("pool.out"))]
    assert forms == [
        "at::Tensor & pool_out(at::Tensor & out, const at::Tensor & self, at::IntArrayRef size=1)",
        "at::Tensor & pool_outf(const at::Tensor & self, at::IntArrayRef size, at::Tensor & out)",
        "at::Tensor & pool_symint_out(at::Tensor & out, const at::Tensor & self,"
        " c10::SymIntArrayRef size=c10::SymInt(1))",
        "at::Tensor & pool_symint_outf(const at::Tensor & self, c10::SymIntArrayRef size, at::Tensor & out)",
    ]


def test_cpp_method_leaves_self_out_and_is_const(function):
    assert cpp.method(function("pool")).decl() == (
        "at::Tensor pool(at::IntArrayRef size, at::OptionalIntArrayRef stride=::std::nullopt,"
        ' c10::string_view mode="a \\"b\\"",'
        " const ::std::optional<at::Scalar> & s=::std::nullopt) const"
    )


def test_cpp_gathers_options(function):
    plain, faithful, *_ = cpp.functions(function("make"))
    assert plain.decl() == (
        "at::Tensor make(at::IntArrayRef size, at::TensorOptions options={},"
        " ::std::optional<at::MemoryFormat> memory_format=::std::nullopt)"
    )
    assert faithful.param_types()[1] == "::std::optional<at::ScalarType>"


def test_lists_and_optionals_of_tensors(function):
    assert dispatcher.signature(function("split")).type() == (
        "::std::tuple<at::Tensor,::std::vector<at::Tensor>> (const at::Tensor &,"
        " const ::std::optional<at::Tensor> &, at::TensorList,"
        " const c10::List<::std::optional<at::Tensor>> &, ::std::array<bool,3>)"
    )


def test_native_takes_symints_by_name(function):
    pool = function("pool")
    plain, symint = (native.signature(pool, pool.kernel(key)) for key in ("CPU", "CUDA"))
    assert plain.name == "pool" and plain.param_types()[1] == "at::IntArrayRef"
    assert symint.name == "pool_symint" and symint.param_types()[1] == "c10::SymIntArrayRef"
    assert plain.params[2].default == "::std::nullopt"
    assert all(p.default is None for p in native.params(function("pool.out"), symint=False))


def test_structured_impl_takes_what_meta_precomputed(group):
    g = group("sum.out")
    assert structured.meta_name(g) == "structured_sum"
    assert structured.meta_signature(g).decl() == (
        "meta_return_ty meta(const at::Tensor & self, ::std::optional<int64_t> dim, at::OptionalTensorRef w,"
        " const at::ITensorListRef & more)"
    )
    assert structured.impl_signature(g).decl() == (
        "void impl(const at::Tensor & self, int64_t axis, bool whole, at::OptionalTensorRef w,"
        " const at::ITensorListRef & more, int64_t count, const at::Tensor & out)"
    )
    assert [p.name for p in structured.precomputed_params(g)] == ["axis", "whole", "count"]


def test_structured_kernels_take_optional_scalars_by_reference(tmp_path):
    path = tmp_path / "f.yaml"
    self = "Tensor self, Scalar? low=None"
    path.write_text(
        f"- func: f({self}) -> Tensor\n  structured_delegate: f.out\n"
        f"- func: f.out({self}, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
        "  dispatch:\n    CPU: f_out\n"
    )
    program = load(path)
    assert structured.meta_signature(program.group_of["f.out"]).decl() == (
        "void meta(const at::Tensor & self, at::OptionalScalarRef low)"
    )


def test_ufunc_functor(group):
    g = group("add")
    assert ufunc.signature(g, UfuncKey.Generic).decl() == "T add(T self, T other, T alpha)"


def test_convert_from_cpp_to_dispatcher(function):
    make = function("make")
    plain, faithful, *_ = cpp.functions(make)
    target = dispatcher.params(make)
    assert convert.exprs(plain.params, target) == [
        "c10::fromIntArrayRefSlow(size)",
        "c10::optTypeMetaToScalarType(options.dtype_opt())",
        "options.layout_opt()",
        "options.device_opt()",
        "options.pinned_memory_opt()",
        "c10::impl::check_tensor_options_and_extract_memory_format(options, memory_format)",
    ]
    assert convert.exprs(faithful.params, target)[1:] == [p.name for p in target[1:]]
    assert convert.exprs(target, plain.params)[1] == (
        "at::TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory)"
    )


def test_convert_self_of_a_method(function):
    add_, pool = function("add_"), function("pool")
    in_place = convert.exprs(cpp.method(add_).params, dispatcher.params(add_), method=True)
    assert in_place == ["const_cast<Tensor&>(*this)", "other", "alpha"]
    assert convert.exprs(cpp.method(pool).params, dispatcher.params(pool), method=True)[0] == "*this"


def test_convert_from_dispatcher_to_kernels(function, group):
    pool, g = function("pool"), group("sum.out")
    kernel = native.signature(pool, pool.kernel("CPU"))
    assert convert.exprs(dispatcher.params(pool), kernel.params)[1] == "C10_AS_INTARRAYREF_SLOW(size)"
    impl = structured.impl_params(g)[:-1]
    exprs = convert.exprs(dispatcher.params(g.functional), impl, precomputed=g.out.precomputed)
    assert exprs[:3] == ["self", "_precomputed.axis", "_precomputed.whole"]
    assert exprs[3].startswith("((w.has_value() && (*w).defined()) ? at::OptionalTensorRef(*w)")
    assert exprs[4:] == ["more", "_precomputed.count"]


def test_convert_refuses_what_has_no_rule(function):
    with pytest.raises(convert.CannotConvert, match="no rule makes 'const at::Tensor & other'"):
        convert.exprs(dispatcher.params(function("pool")), dispatcher.params(function("add")))


def test_python_signatures(function):
    def text(name, **kwargs):
        return python.signature(function(name), **kwargs).text()

    assert text("add", method=True) == "add(Tensor other, *, Scalar alpha=1)"
    assert text("two.min") == "two(Tensor input, int64_t dim, double eps=1e-05, *, TensorList[2] out=None)"
    assert text("make") == (
        "make(SymIntArrayRef size, *, MemoryFormat? memory_format=None, ScalarType? dtype=None,"
        " Layout? layout=None, Device? device=None, bool? pin_memory=False, bool? requires_grad=False)"
    )


def test_python_merges_base_and_out(program):
    (merged,) = groups(program.functions)["torch"]["add"]
    assert merged.signature.text() == "add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)"
    assert (str(merged.base.name), str(merged.out.name)) == ("add", "add.out")


def test_python_refuses_equal_signatures(tmp_path):
    path = tmp_path / "f.yaml"
    path.write_text("- func: f.a(Tensor self) -> Tensor\n- func: f.b(Tensor self) -> Tensor\n")
    program, _ = pipeline.load(path, checked=False)
    with pytest.raises(DuplicateSignature, match=r"'f\.a' and 'f\.b' are the same"):
        groups(program.functions)


@pytest.mark.parametrize(
    ("declared", "at_run_time"),
    [
        ("SymInt[2] a=1", "SymInt[2] a=[1, 1]"),
        ("int[2] a=1", "int[2] a=1"),
        ("int[1] a=0", "int[1] a=[0]"),
        ("int[] a=[0,1]", "int[] a=[0, 1]"),
        ("float a=2", "float a=2."),
        ("float a=1e-05", "float a=1.0000000000000001e-05"),
        ("float a=1e10", "float a=10000000000."),
        ("Scalar a=1", "Scalar a=1"),
        ("Scalar a=1.0", "Scalar a=1."),
        ("bool[2] a=True", "bool[2] a=[True, True]"),
        ("int a=Mean", "int a=1"),
        ("ScalarType? a=long", "ScalarType? a=4"),
        ("MemoryFormat? a=contiguous_format", "MemoryFormat? a=0"),
        ("str a='it\"s'", 'str a="it\\"s"'),
        ("DeviceIndex a", "int a"),
        ("int? a=None", "int? a=None"),
    ],
)
def test_runtime_schema(tmp_path, declared, at_run_time):
    path = tmp_path / "f.yaml"
    quoted = f"f({declared}) -> ()".replace('"', '\\"')
    path.write_text(f'- func: "{quoted}"\n')
    program, report = pipeline.load(path, checked=False)
    assert not report.failed, report.diagnostics
    assert runtime_schema.text(program.functions[0]) == f"aten::f({at_run_time}) -> ()"
