"""Rules that the YAML reader itself applies."""

from opgen.diagnostics import Rule, Severity

GOOD = "- func: f(Tensor self) -> Tensor\n"


def _rule(code: str, name: str, summary: str, bad: str) -> Rule:
    return Rule(code, name, Severity.error, summary, bad, GOOD, ignorable=False)


SYNTAX = _rule(
    "OPG001",
    "yaml-syntax",
    "The file is no YAML that this reader takes.",
    "- func: f(Tensor self) -> Tensor\n  python_module: 'nn\n",
)
NOT_UTF8 = _rule(
    "OPG002",
    "not-utf8",
    "The file must be UTF-8.",
    "- func: f(Tensor \udcff) -> Tensor\n",
)
REFUSED_CHARACTER = _rule(
    "OPG003",
    "invisible-character",
    "Control characters and invisible formatting characters (bidirectional overrides among them) are refused:"
    " a reader would see something else than what the file says.",
    "- func: f(Tensor self) -> Tensor # \u202e\n",
)
TOO_LARGE = _rule(
    "OPG004",
    "too-large",
    "The file has more bytes or values than any functions file needs.",
    "",  # no example: it would be megabytes long
)
TOO_DEEP = _rule(
    "OPG005",
    "too-deep",
    "The file nests deeper than any functions file needs.",
    "- " + "[" * 40 + "]" * 40 + "\n",
)
ALIAS = _rule(
    "OPG006",
    "yaml-alias",
    "Anchors and aliases are refused: entries stand for themselves.",
    "- func: &x f(Tensor self) -> Tensor\n",
)
TAG = _rule(
    "OPG007",
    "yaml-tag",
    "YAML tags are refused: every value is text.",
    "- func: !!str f(Tensor self) -> Tensor\n",
)
DUPLICATE_KEY = _rule(
    "OPG008",
    "duplicate-key",
    "A key stands once in a mapping; the second one would be lost.",
    "- func: f(Tensor self) -> Tensor\n  variants: function\n  variants: function\n",
)
NOT_A_LIST = _rule(
    "OPG009",
    "not-a-list",
    "A functions file is a list of entries.",
    "func: f(Tensor self) -> Tensor\n",
)
TOO_MANY_KEYS = _rule(
    "OPG010",
    "too-many-keys",
    "No mapping of the format has more than a few keys.",
    "- func: f(Tensor self) -> Tensor\n  dispatch:\n" + "".join(f"    K{i}: f\n" for i in range(70)),
)
TOO_MANY = _rule(
    "OPG011",
    "too-many-faults",
    "The run ends after 2,000 faults: most likely the file is none of the format's.",
    "",  # no example: it would be long
)
CONFLICT = _rule(
    "OPG012",
    "merge-conflict",
    "A conflict that git left in the file has to be resolved.",
    "<<<<<<< HEAD\n- func: f(Tensor self) -> Tensor\n=======\n- func: f(int k) -> Tensor\n>>>>>>> branch\n",
)

ANOTHER_FORMAT = _rule(
    "OPG013",
    "another-format",
    "A functions file has entries with 'func'; files of other tools' formats are not read.",
    "- schema_string: aten::f(Tensor self) -> Tensor\n  name: f\n",
)

RULES = (
    SYNTAX,
    NOT_UTF8,
    REFUSED_CHARACTER,
    TOO_LARGE,
    TOO_DEEP,
    ALIAS,
    TAG,
    DUPLICATE_KEY,
    NOT_A_LIST,
    TOO_MANY_KEYS,
    TOO_MANY,
    CONFLICT,
    ANOTHER_FORMAT,
)
