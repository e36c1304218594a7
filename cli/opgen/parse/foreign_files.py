"""Files of other formats, given as functions files: one fault that names the format, instead of one for each
line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from opgen.diagnostics import Diagnostic, did_you_mean
from opgen.parse import fields
from opgen.parse import yaml_rules as rules
from opgen.parse.nodes import Mapping, Scalar
from opgen.parse.source import Item, Source

# What each entry of a functions file has one of.
_OWN = ("func", "op")
_OWN_KEY = re.compile(r"""(?:^(?:- )?|[{,]) {0,16}["']?(?:func|op)["']?[ \t]{0,16}:""", re.MULTILINE)
_FIELDS = tuple(field.name for field in (*fields.FIELDS, *fields.EXECUTORCH_FIELDS))

_SCHEMAS = "a functions file is YAML, with a schema in each entry: - func: f(Tensor self) -> Tensor"
_MADE_OF = "validate the functions file that it is made of"
_CPP = (
    r"^(?:#[ \t]*(?:include|pragma|ifn?def)\b|TORCH_LIBRARY|using namespace |namespace \w+ *\{|template *<)"
)
# The keys of torch_xla's, torch-mlir's and other backends' lists; a file has several of them.
_BACKEND_KEY = (
    r"^(?:backend|cpp_namespace|full_codegen|ir_gen|supported"
    r"|autograd|non_native|symint|blacklist|whitelist):"
)
_TEXTS = tuple(
    (re.compile(pattern, re.MULTILINE), name, help)
    for pattern, name, help in (
        (r"\Aversion https://git-lfs", "a pointer of Git LFS", "`git lfs pull` fetches the file"),
        (r"\A\s*<[!?\w]", "a page of HTML or XML", "download the file itself"),
        (_CPP, "C++", _SCHEMAS),
        (r"^(?:import \w|from [\w.]+ import |def \w+\(|class \w+[(:])", "Python", _SCHEMAS),
        (r"\A\s*\[\s*\{[^{}\[\]]*\"(?:schema|overload)\"", "what `opgen dump` prints", _MADE_OF),
        (r"\A\s*[\[{]\s*[\"{]", "JSON of another tool", _SCHEMAS),
        (
            rf"{_BACKEND_KEY}(?=[\s\S]*{_BACKEND_KEY})",
            "a backend's list of operators, as torchgen's gen_backend_stubs and gen_lazy_tensor read it",
            "validate the native_functions.yaml that declares them",
        ),
    )
)
_ENTRIES = (
    ({"schema_string"}, "Declarations.yaml, which PyTorch's generator writes", _MADE_OF),
    ({"schema", "interface"}, "DIPU's list of operators", "validate the file that declares them"),
    ({"tag", "desc"}, "a tags file", "name it by --tags, and the functions file as FILE"),
    ({"name", "aten"}, "a list of deprecated signatures", "`opgen breaking` reads it by --deprecated"),
    ({"ops"}, "one of the files beside it", "name the functions file; those beside it are read with it"),
)
_DERIVATIVES = ("a derivatives file", "name it by --derivatives, and the functions file as FILE")
_SCHEMA = re.compile(r"[\w.:]+\(.*\) ->", re.DOTALL)
_BEGINNING = 1 << 18  # characters that tell what a file is
_MAX_KEYS = 5  # of those that a message names


def of_text(source: Source) -> Diagnostic | None:
    """Returns the fault of a file that is no list in YAML."""
    text = source.text[:_BEGINNING]
    if _OWN_KEY.search(text):
        return None
    for pattern, name, help in _TEXTS:
        found = pattern.search(text)
        if found is not None:
            span = source.at(found.start(), found.start() + 1)
            return rules.ANOTHER_FORMAT.at(span, f"this is no functions file, but {name}", help)
    return None


def of_items(items: Sequence[Item]) -> Diagnostic | None:
    """Returns the fault of a list whose entries are those of another format."""
    nodes = [item.node for item in items]
    entries = [node for node in nodes if isinstance(node, Mapping)]
    if len(entries) < len(nodes) or not entries or any(key in e.keys for e in entries for key in _OWN):
        return None
    keys = dict.fromkeys(key for entry in entries for key in entry.keys)
    name, help = _name(entries)
    if name is None:
        if any(not key or key in _FIELDS or did_you_mean(key, _OWN) for key in list(keys)[:_MAX_KEYS]):
            return None  # entries of this format that lack their schema
        listed = ", ".join(f"'{key}'" for key in list(keys)[:_MAX_KEYS])
        message = f"this is no functions file: no entry has a 'func', but they have {listed}"
        help = _SCHEMAS
    else:
        message = f"this is no functions file, but {name}"
    first = items[0]
    return rules.ANOTHER_FORMAT.at(first.source.span(next(iter(entries[0].keys.values()))), message, help)


def _name(entries: Sequence[Mapping]) -> tuple[str | None, str | None]:
    for required, name, help in _ENTRIES:
        if all(required <= entry.keys.keys() for entry in entries):
            return name, help
    names = [entry.values.get("name") for entry in entries]
    if all(isinstance(name, Scalar) and _SCHEMA.match(name.value) for name in names):
        return _DERIVATIVES
    return None, None
