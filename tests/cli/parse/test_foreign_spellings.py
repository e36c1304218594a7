"""Types, defaults and declarations as C++ and Python spell them: one fault for each, and what to write."""

from __future__ import annotations

import time

import pytest
from front import checked
from opgen.parse.schema_text import parse

# What the format writes, and how else it is spelled.
TYPES = {
    "Tensor": ("const at::Tensor&", "const Tensor &", "at::Tensor", "torch::Tensor", "torch.Tensor",
               "tensor"),
    "int": ("int64_t", "std::int64_t", "const int64_t&", "long", "unsigned long", "long long", "size_t",
            "integer"),
    "float": ("double", "float64", "const double"),
    "bool": ("boolean", "const bool&"),
    "str": ("string", "std::string", "const std::string&", "c10::string_view", "const char*"),
    "Scalar": ("const at::Scalar&", "Union[int, float]", "int | float", "number"),
    "ScalarType": ("at::ScalarType", "dtype", "torch.dtype"),
    "Layout": ("torch.layout", "at::Layout"),
    "Device": ("torch.device", "c10::Device"),
    "MemoryFormat": ("torch.memory_format", "at::MemoryFormat"),
    "Generator": ("torch.Generator", "at::Generator"),
    "SymInt": ("c10::SymInt", "torch.SymInt"),
    "int[]": ("IntArrayRef", "at::IntArrayRef", "List[int]", "list[int]", "Sequence[int]", "torch.Size",
              "const std::vector<int64_t>&", "c10::ArrayRef<int64_t>", "Tuple[int, ...]"),
    "SymInt[]": ("SymIntArrayRef", "c10::SymIntArrayRef", "List[SymInt]"),
    "Tensor[]": ("TensorList", "at::TensorList", "const at::ITensorListRef&", "List[torch.Tensor]",
                 "std::vector<at::Tensor>"),
    "float[]": ("at::ArrayRef<double>", "List[float]"),
    "Tensor?": ("std::optional<at::Tensor>", "const c10::optional<Tensor>&", "Optional[Tensor]",
                "Tensor | None", "Union[Tensor, None]", "at::OptionalTensorRef"),
    "int?": ("std::optional<int64_t>", "Optional[int]", "int | None", "None | int"),
    "int[]?": ("at::OptionalIntArrayRef", "Optional[List[int]]", "c10::OptionalArrayRef<int64_t>"),
    "Tensor?[]": ("List[Optional[Tensor]]", "c10::List<std::optional<Tensor>>"),
    "bool[3]": ("std::array<bool, 3>", "std::array<bool,3>", "Tuple[bool, bool, bool]"),
}  # fmt: skip
SPELLINGS = [(spelling, type) for type, spellings in TYPES.items() for spelling in spellings]

RETURNS = {
    "()": ("void", "None", "NoneType"),
    "(Tensor, Tensor)": (
        "std::tuple<at::Tensor, at::Tensor>",
        "Tuple[Tensor, Tensor]",
        "tuple[Tensor, Tensor]",
    ),
    "(Tensor, int)": ("std::tuple<Tensor, int64_t>", "std::pair<Tensor,int64_t>"),
    "Tensor[]": ("std::vector<Tensor>", "List[Tensor]", "Tuple[Tensor, ...]"),
    "Tensor": ("at::Tensor", "const Tensor&"),
}
RETURNED = [(spelling, type) for type, spellings in RETURNS.items() for spelling in spellings]

# Type, default in the schema, and how else it is spelled.
DEFAULTS = [
    (
        "int[]",
        "[0,1]",
        ("{0, 1}", "(0, 1)", "{0,1}", "(0,1)", "std::vector<int64_t>{0, 1}", "IntArrayRef({0, 1})"),
    ),
    ("int[]", "[]", ("{}", "()")),
    ("int[]", "[3]", ("3", "(3,)", "{3}")),
    ("int[2]", "[1,2]", ("(1, 2)", "{1L, 2L}")),
    ("bool[2]", "[True,False]", ("{true, false}", "[true,false]", "(True, False)")),
    ("int[]?", "None", ("{}", "nullopt", "std::nullopt", "c10::nullopt")),
    ("Tensor?", "None", ("{}", "nullptr", "NULL", "at::nullopt")),
    ("bool", "True", ("true", "1")),
    ("bool", "False", ("false", "0")),
    ("int", "255", ("0xFF", "0xff")),
    ("int", "1", ("1L", "1LL", "1.0", "+1", "1u")),
    ("int", "Mean", ("at::Reduction::Mean", "Reduction::Mean")),
    ("float", "1.5", ("1.5f", "1.5F", "+1.5")),
    ("float", "1e-5", ("1E-5", "1e-5f")),
    ("float", "inf", ("math.inf", "float('inf')", "INFINITY", "std::numeric_limits<double>::infinity()")),
    ("str", "'mean'", ("mean",)),
    ("MemoryFormat?", "contiguous_format", ("torch.contiguous_format", "at::MemoryFormat::Contiguous")),
    ("ScalarType", "long", ("torch.long", "at::kLong", "torch.int64")),
]
LITERALS = [(type, text, spelling) for type, text, spellings in DEFAULTS for spelling in spellings]


def mended(schema: str) -> str:
    """Returns the schema after the help of its only fault was followed."""
    (fault,) = parse(schema).faults
    assert fault.help is not None
    new = fault.help.removeprefix("write ")
    assert new != fault.help
    return schema[: fault.start] + new + schema[fault.end :]


@pytest.mark.parametrize(("spelling", "type"), SPELLINGS)
@pytest.mark.parametrize("schema", ["f({} x, int k=1) -> Tensor", "f(Tensor self, *, int k=1, {} x) -> ()"])
def test_types_of_arguments(schema, spelling, type):
    assert mended(schema.format(spelling)) == schema.format(type)
    assert parse(schema.format(type)).faults == []


@pytest.mark.parametrize(("spelling", "type"), RETURNED)
def test_types_of_returns(spelling, type):
    schema = "f(Tensor self, int k=1) -> {}"
    assert mended(schema.format(spelling)) == schema.format(type)
    assert parse(schema.format(type)).faults == []


@pytest.mark.parametrize(("type", "text", "spelling"), LITERALS)
@pytest.mark.parametrize("schema", ["f(Tensor self, {} x={}) -> Tensor", "f(*, {} x={}, int y) -> Tensor"])
def test_defaults(schema, type, text, spelling):
    assert mended(schema.format(type, spelling)) == schema.format(type, text)
    assert parse(schema.format(type, text)).faults == []


def test_a_type_with_a_suffix_of_the_format():
    assert mended("f(int64_t[2]? x=[1,2]) -> ()") == "f(int[2]? x=[1,2]) -> ()"
    assert mended("f(at::Tensor(a!) self) -> ()") == "f(Tensor(a!) self) -> ()"


@pytest.mark.parametrize("spelling", ["Tensor&", "at::Tensor &", "Tensor*"])
def test_a_reference_may_be_written_to(spelling):
    (fault,) = parse(f"f({spelling} self) -> ()").faults
    assert fault.help == "write Tensor(a!) if the operator writes to it, Tensor if it doesn't"


@pytest.mark.parametrize(
    "spelling",
    ["std::map<int, Tensor>", "Dict[str, int]", "mine::Foo", "void", "Tuple[int, str]", "Any"],
)
def test_what_the_format_has_no_type_for(spelling):
    faults = parse(f"f({spelling} x, Tensr y, int k=1) -> Tensor").faults
    assert [(f.rule.code, f.start) for f in faults] == [("OPG108", 2), ("OPG108", 6 + len(spelling))]
    assert faults[0].help.startswith("the types are Tensor, ")


def test_one_fault_for_each_slip():
    """All kinds in one schema: as many faults as slips."""
    arguments = [f"{spelling} a{i}" for i, (spelling, _) in enumerate(SPELLINGS[:18])]
    arguments += [f"{type} d{i}={spelling}" for i, (type, _, spelling) in enumerate(LITERALS[:18])]
    faults = parse(f"f({', '.join(arguments)}) -> void").faults
    assert len(faults) == len(arguments) + 1
    assert [f.start for f in faults] == sorted({f.start for f in faults})


@pytest.mark.parametrize("sign", [" = ", "= ", " =", "  =  "])
def test_blanks_around_the_equals_sign(sign):
    (fault,) = parse(f"f(int k{sign}1, int[] d=[0]) -> Tensor").faults
    assert (fault.rule.code, fault.edit) == ("OPG105", (7, 7 + len(sign), "="))


@pytest.mark.parametrize(
    ("annotation", "written"),
    [
        ("self: Tensor", "Tensor self"),
        ("dims: List[int]=[0]", "int[] dims=[0]"),
        ("k : int = 1", "int k=1"),
        ("x: Optional[torch.Tensor] = None", "Tensor? x=None"),
        ("x: Tensor?[]", "Tensor?[] x"),
    ],
)
def test_annotations_of_python(annotation, written):
    schema = "f({}, int m) -> Tensor"
    assert mended(schema.format(annotation)) == schema.format(written)
    (found,) = checked(f"- func: {schema.format(annotation)}\n")[1]
    assert (found.code, found.help) == ("OPG001", f"write {written}")


@pytest.mark.parametrize(
    ("declaration", "help"),
    [
        ("Tensor f(Tensor self)", "write f(...) -> Tensor"),
        ("at::Tensor f(Tensor self);", "write f(...) -> Tensor"),
        ("static inline void f_(Tensor self)", "write f_(...) -> ()"),
        ("TORCH_API std::tuple<Tensor, Tensor> f(Tensor self)", "write f(...) -> (Tensor, Tensor)"),
    ],
)
def test_declarations_of_cpp(declaration, help):
    (fault,) = parse(declaration).faults
    assert (fault.rule.code, fault.start, fault.help) == ("OPG104", 0, help)


@pytest.mark.parametrize("default", ["[0, 1", "(0, 1", "{0, 1", "[0, 1, 2", "(1.5, -2"])
def test_a_bracket_that_is_not_closed(default):
    (fault,) = parse(f"f(Tensor self, int[] d={default}, bool x=True) -> Tensor").faults
    assert (fault.rule.code, fault.start, fault.message) == (
        "OPG118",
        23,
        f"this '{default[0]}' is not closed",
    )


def test_fix_writes_what_can_only_mean_one_thing():
    faults = [parse(f"f({type} x={spelling}) -> ()").faults[0] for type, _, spelling in LITERALS]
    edited = {spelling for (*_, spelling), f in zip(LITERALS, faults, strict=True) if f.edit is not None}
    assert {"{0, 1}", "(0, 1)", "true", "3"} <= edited
    assert edited.isdisjoint({"1", "0", "mean", "1.0", "nullptr", "1L"} - {"3"})


@pytest.mark.parametrize(
    "text",
    [
        f"f({'std::optional<' * 4000}int x) -> ()",
        f"f({'List[' * 9000}int x) -> ()",
        f"f({'int|' * 15000}int x) -> ()",
        f"f({'const ' * 9000}x) -> ()",
        f"f(int x={'(' * 30000}) -> ()",
        f"f(int[] x={{{'1,' * 9000}1}}) -> ()",
        f"f({'Tensor(q1!) x,' * 4000}) -> ()",
        f"f({', '.join(f'Tensor(q{i}!) x{i}' for i in range(2000))}) -> ()",
    ],
    ids=lambda text: text[:16],
)
def test_long_texts_take_no_time(text):
    """Each is shorter than the longest schema that is read."""
    begun = time.process_time()
    assert parse(text).faults
    assert time.process_time() - begun < 5
