"""Rules of the schema grammar, applied by `schema_text`."""

from opgen.diagnostics import Rule, Severity


def _rule(
    code: str,
    name: str,
    summary: str,
    bad: str,
    good: str = "f(Tensor self) -> Tensor",
    fixable: bool = False,
    ignorable: bool = False,
) -> Rule:
    """Makes a rule. A schema with a fault is not read, so most faults cannot be ignored."""
    bad, good = f"- func: {bad}\n", f"- func: {good}\n"
    return Rule(code, name, Severity.error, summary, bad, good, fixable, ignorable)


OPERATOR_NAME = _rule(
    "OPG101",
    "operator-name",
    "An operator's name is an identifier: letters, digits and '_', no digit first.",
    "9f(Tensor self) -> Tensor",
)
OVERLOAD_NAME = _rule(
    "OPG102",
    "overload-name",
    "An overload name is an identifier.",
    "f.Scalar-x(Tensor self) -> Tensor",
    "f.Scalar(Tensor self) -> Tensor",
)
NAMESPACE = _rule(
    "OPG103",
    "namespace",
    "An operator has at most one namespace, an identifier.",
    "my::ns::f(Tensor self) -> Tensor",
    "my::f(Tensor self) -> Tensor",
)
SYNTAX = _rule(
    "OPG104",
    "schema-syntax",
    "A schema reads `name[.overload](arguments) -> returns`.",
    "f(Tensor self] -> Tensor",
)
SPACING = _rule(
    "OPG105",
    "schema-spacing",
    "One space after ',' and around '->', one between type and name, none elsewhere.",
    "f(Tensor self,Tensor other) -> Tensor",
    "f(Tensor self, Tensor other) -> Tensor",
    fixable=True,
    ignorable=True,
)
ARROW = _rule(
    "OPG106", "arrow", "' -> ' stands between the arguments and the returns.", "f(Tensor self) Tensor"
)
RETURN_MISSING = _rule(
    "OPG107",
    "return-missing",
    "What an operator returns must be said; '()' says nothing is.",
    "f(Tensor self) ->",
    "f(Tensor self) -> ()",
)
UNKNOWN_TYPE = _rule("OPG108", "unknown-type", "The type is none of the format's.", "f(Tensr self) -> Tensor")
TYPE_SYNTAX = _rule(
    "OPG109",
    "type-syntax",
    "A type is a base type with '?' or '[N]' after it.",
    "f(int[ dim) -> Tensor",
    "f(int[2] dim) -> Tensor",
)
LIST_SIZE = _rule(
    "OPG110",
    "list-size",
    "A list's size is a positive decimal number.",
    "f(Tensor self, int[0] dim) -> Tensor",
    "f(Tensor self, int[1] dim) -> Tensor",
)
ARGUMENT_NAME = _rule(
    "OPG111", "argument-name", "Every argument has a name, an identifier.", "f(Tensor) -> Tensor"
)
COMMA = _rule(
    "OPG112",
    "comma",
    "Arguments are separated by ', '.",
    "f(Tensor self int dim) -> Tensor",
    "f(Tensor self, int dim) -> Tensor",
)
EMPTY_ARGUMENT = _rule(
    "OPG113",
    "empty-argument",
    "There is nothing between two commas.",
    "f(Tensor self, , int dim) -> Tensor",
    "f(Tensor self, int dim) -> Tensor",
)
STAR = _rule(
    "OPG114",
    "star",
    "'*' stands once, before the first keyword-only argument.",
    "f(Tensor self, *) -> Tensor",
    "f(Tensor self, *, int dim) -> Tensor",
)
ALIAS_SYNTAX = _rule(
    "OPG115",
    "alias-syntax",
    "An annotation reads (a), (a!), (a|b), (a -> b) or (a! -> a|b), with lower-case letters.",
    "f(Tensor(A!) self) -> Tensor(A!)",
    "f_(Tensor(a!) self) -> Tensor(a!)",
)
ALIAS_TYPE = _rule(
    "OPG116",
    "alias-type",
    "Only tensors alias: the annotation follows the word Tensor, with '?' or '[]' after it.",
    "f(Tensor self, Tensor?(b!) other) -> ()",
    "f(Tensor self, Tensor(b!)? other) -> ()",
    fixable=True,
)
DEFAULT_MISSING = _rule(
    "OPG117",
    "default-missing",
    "A value follows '='.",
    "f(Tensor self, int dim=) -> Tensor",
    "f(Tensor self, int dim=0) -> Tensor",
)
DEFAULT_TYPE = _rule(
    "OPG118",
    "default-type",
    "A default must be a literal of its argument's type.",
    "f(Tensor self, bool keepdim=false) -> Tensor",
    "f(Tensor self, bool keepdim=False) -> Tensor",
    fixable=True,
)
DEFAULT_NONE = _rule(
    "OPG119",
    "default-none",
    "Only an optional argument can default to None.",
    "f(Tensor self, int dim=None) -> Tensor",
    "f(Tensor self, int? dim=None) -> Tensor",
)
RETURN_DEFAULT = _rule(
    "OPG120",
    "return-default",
    "A return has no default.",
    "f(Tensor self) -> Tensor result=None",
    "f(Tensor self) -> Tensor result",
)
RETURN_PARENTHESES = _rule(
    "OPG121",
    "return-parentheses",
    "A single return stands without parentheses.",
    "f(Tensor self) -> (Tensor)",
    fixable=True,
)
TRAILING = _rule("OPG122", "trailing-text", "Nothing follows the returns.", "f(Tensor self) -> Tensor)")
OUT_LAST = _rule(
    "OPG123",
    "out-last",
    "The out arguments are the last ones.",
    "f.out(Tensor self, *, Tensor(a!) out, int dim) -> Tensor(a!)",
    "f.out(Tensor self, *, int dim, Tensor(a!) out) -> Tensor(a!)\n- func: f(Tensor self, *, int"
    " dim) -> Tensor",
)
OPTIONS_ONCE = _rule(
    "OPG124",
    "options-once",
    "dtype, layout, device and pin_memory are given once.",
    "f(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?"
    " pin_memory=None,"
    " ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
)
TOO_LONG = _rule(
    "OPG125", "schema-too-long", "A schema has at most 65,536 characters.", "f(" + "x" * 65536 + ") -> ()"
)

RULES = (
    OPERATOR_NAME,
    OVERLOAD_NAME,
    NAMESPACE,
    SYNTAX,
    SPACING,
    ARROW,
    RETURN_MISSING,
    UNKNOWN_TYPE,
    TYPE_SYNTAX,
    LIST_SIZE,
    ARGUMENT_NAME,
    COMMA,
    EMPTY_ARGUMENT,
    STAR,
    ALIAS_SYNTAX,
    ALIAS_TYPE,
    DEFAULT_MISSING,
    DEFAULT_TYPE,
    DEFAULT_NONE,
    RETURN_DEFAULT,
    RETURN_PARENTHESES,
    TRAILING,
    OUT_LAST,
    OPTIONS_ONCE,
    TOO_LONG,
)
