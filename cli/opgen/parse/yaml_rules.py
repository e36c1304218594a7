"""Rules that the YAML reader itself applies."""

from opgen.diagnostics import Rule, Severity

GOOD = "- func: f(Tensor self) -> Tensor\n"

SYNTAX = Rule(
    "OPG001",
    "yaml-syntax",
    Severity.error,
    "The file is no YAML that this reader takes.",
    "- func: f(Tensor self) -> Tensor\n  python_module: 'nn\n",
    GOOD,
)
NOT_UTF8 = Rule(
    "OPG002",
    "not-utf8",
    Severity.error,
    "The file must be UTF-8.",
    "- func: f(Tensor \udcff) -> Tensor\n",
    GOOD,
)
REFUSED_CHARACTER = Rule(
    "OPG003",
    "invisible-character",
    Severity.error,
    "Control characters and invisible formatting characters (bidirectional overrides among them) are refused:"
    " a reader would see something else than what the file says.",
    "- func: f(Tensor self) -> Tensor # \u202e\n",
    GOOD,
)
TOO_LARGE = Rule(
    "OPG004",
    "too-large",
    Severity.error,
    "The file has more bytes or values than any functions file needs.",
    "",
    GOOD,  # no example: it would be megabytes long
)
TOO_DEEP = Rule(
    "OPG005",
    "too-deep",
    Severity.error,
    "The file nests deeper than any functions file needs.",
    "- " + "[" * 40 + "]" * 40 + "\n",
    GOOD,
)
ALIAS = Rule(
    "OPG006",
    "yaml-alias",
    Severity.error,
    "Anchors and aliases are refused: entries stand for themselves.",
    "- func: &x f(Tensor self) -> Tensor\n",
    GOOD,
)
TAG = Rule(
    "OPG007",
    "yaml-tag",
    Severity.error,
    "YAML tags are refused: every value is text.",
    "- func: !!str f(Tensor self) -> Tensor\n",
    GOOD,
)
DUPLICATE_KEY = Rule(
    "OPG008",
    "duplicate-key",
    Severity.error,
    "A key stands once in a mapping; the second one would be lost.",
    "- func: f(Tensor self) -> Tensor\n  variants: function\n  variants: function\n",
    GOOD,
)
NOT_A_LIST = Rule(
    "OPG009",
    "not-a-list",
    Severity.error,
    "A functions file is a list of entries.",
    "func: f(Tensor self) -> Tensor\n",
    GOOD,
)
TOO_MANY_KEYS = Rule(
    "OPG010",
    "too-many-keys",
    Severity.error,
    "No mapping of the format has more than a few keys.",
    "- func: f(Tensor self) -> Tensor\n  dispatch:\n" + "".join(f"    K{i}: f\n" for i in range(70)),
    GOOD,
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
)
