"""JSON Schemas (draft 7, which editors support best) of the files that opgen reads, made from the tables that
their readers use. They check one value at a time: `opgen validate` finds all other faults.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opgen import config
from opgen.model import YAML_KEYS, DeviceCheck, UfuncKey, Variant
from opgen.model.autocast import DEVICES
from opgen.model.checks import COMPARISONS, IN, MAY_BE, Subject
from opgen.model.derivatives import FORMULA_KEYS
from opgen.model.dtypes import DTYPE_SETS, DTYPES
from opgen.parse import autocast, batching, checks, derivatives, docs, tags
from opgen.parse.fields import EXECUTORCH_FIELDS, FIELDS, Field, Kind

Json = dict[str, Any]

EXPRESSION = "A C++ expression."  # the description of a formula

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_OPERATOR = rf"{_NAME}(\.{_NAME})?"
_SCHEMA = rf"^({_NAME}::)?{_OPERATOR}\(.*\) -> \S.*$"
_SUBJECT = rf"({'|'.join(s.value for s in Subject if s.value)})\({_NAME}\)|{_NAME}"
_CONDITION = rf"^({_SUBJECT}) ({'|'.join((*COMPARISONS, IN, MAY_BE))}) \S.*$"
_KERNEL = rf"^({_NAME}::){{0,3}}{_NAME}$"


def _text(pattern: str = "") -> Json:
    return {"type": "string", "pattern": pattern} if pattern else {"type": "string", "minLength": 1}


def _list_of(item: Json) -> Json:
    return {"type": "array", "items": item}


def _separated(words: str) -> Json:
    return _text(rf"^({words})(, ({words}))*$")


def _kernels() -> Json:
    keys = "|".join(sorted(key.value for key in YAML_KEYS))
    return {
        "type": "object",
        "patternProperties": {rf"^({keys})(, ?({keys}))*$": _text(_KERNEL)},
        # Also listed by themselves, so that editors suggest them.
        "properties": {key.value: _text(_KERNEL) for key in sorted(YAML_KEYS, key=lambda k: k.value)},
        "additionalProperties": False,
    }


def _loops() -> Json:
    dtypes = "|".join((*DTYPES, *DTYPE_SETS))
    loop = _text(rf"^{_NAME} \((({dtypes})(, ?({dtypes}))*)\)$")
    keyed = {"properties": dict.fromkeys(UfuncKey.__members__, loop), "additionalProperties": False}
    return {"anyOf": [loop, {"type": "object", **keyed}]}


def _tag_names() -> Json:
    """Returns the schema of a tag: the built-in ones, for editors to suggest, and any name, as a tags file
    may have others.
    """
    return {"anyOf": [{"enum": list(tags.BUILT_IN)}, _text(f"^{_NAME}$")]}


_KINDS: dict[Kind, Callable[[], Json]] = {
    Kind.schema: lambda: _text(_SCHEMA),
    Kind.flag: lambda: {"type": "boolean"},
    Kind.variants: lambda: _separated("|".join(Variant.__members__)),
    Kind.identifier: lambda: _text(f"^{_NAME}$"),
    Kind.dotted: lambda: _text(rf"^{_NAME}(\.{_NAME})*$"),
    Kind.operator: lambda: _text(f"^{_OPERATOR}$"),
    Kind.operators: lambda: _separated(_OPERATOR),
    Kind.names: lambda: _list_of(_text()),
    Kind.name_or_names: lambda: {"anyOf": [_tag_names(), _list_of(_tag_names())]},
    Kind.lines: lambda: {**_list_of(_text()), "minItems": 1},
    Kind.kernels: _kernels,
    Kind.loops: _loops,
    Kind.device_check: lambda: {"enum": list(DeviceCheck.__members__)},
    Kind.kernel_list: lambda: _list_of({"type": "object", "required": ["kernel_name"]}),
    Kind.aliases: lambda: {"type": "object", "additionalProperties": {"type": "array"}},
}


def _fields(fields: tuple[Field, ...]) -> Json:
    return {f.name: {"description": f.summary, **_KINDS[f.kind]()} for f in fields}


def _file(title: str, entry: Json) -> Json:
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": title}
    return {**head, "type": ["array", "null"], "items": {"type": "object", **entry}}


def functions() -> Json:
    entry = {
        "properties": _fields((*FIELDS, *EXECUTORCH_FIELDS)),
        "anyOf": [{"required": ["func"]}, {"required": ["op", "kernels"]}],
        "additionalProperties": False,
    }
    return _file("Operators: native_functions.yaml", entry)


def tag_file() -> Json:
    properties = {
        "tag": {"description": "The tag's name.", **_text(f"^{_NAME}$")},
        "desc": {"description": "What it means.", **_text(r"\S")},
    }
    entry = {"properties": properties, "required": ["tag", "desc"], "additionalProperties": False}
    return _file("Tags: tags.yaml", entry)


def derivatives_file() -> Json:
    formula = {"description": EXPRESSION, "type": ["string", "number"]}
    formulas = {"patternProperties": {rf"^{_NAME}(, ?{_NAME})*$": formula}, "additionalProperties": False}
    by_key = {key: {"type": "object", **formulas} for key in FORMULA_KEYS}
    own: Json = {
        "name": {"description": "The schema of the operator.", **_text(_SCHEMA)},
        "dispatch": {"type": "object", "properties": by_key, "additionalProperties": False},
        "output_differentiability": {
            "description": "Which results have a gradient; or one condition.",
            "anyOf": [
                _list_of({"type": "boolean"}),
                {**_list_of({"description": EXPRESSION, **_text()}), "maxItems": 1},
            ],
        },
    }
    assert own.keys() == set(derivatives.FIELDS)
    # A pattern would match the names of the other fields, too.
    names = rf"^(?!({'|'.join(own)})$){_NAME}(, ?{_NAME})*$"
    entry = {
        "properties": own,
        "patternProperties": {names: formula},
        "required": ["name"],
        "additionalProperties": False,
    }
    return _file("Derivatives: derivatives.yaml", entry)


def checks_file() -> Json:
    own = {
        "ops": {"description": "The operators, by name and overload.", **_list_of(_text(f"^{_OPERATOR}$"))},
        "checks": {"description": "What they ask of their arguments.", **_list_of(_text(_CONDITION))},
    }
    each = {name: {**field, "minItems": 1} for name, field in own.items()}
    each["by"] = {"description": "An operator that these call, for its checks.", **_text(f"^{_OPERATOR}$")}
    assert each.keys() == set(checks.FIELDS)
    entry = {"properties": each, "required": ["ops"], "additionalProperties": False}
    entry["anyOf"] = [{"required": ["checks"]}, {"required": ["by"]}]
    return _file("Checks of arguments: checks.yaml", entry)


def _named(name: str, value: Json) -> Json:
    return {
        **{"type": "object", "patternProperties": {f"^{name}$": value}},
        **{"minProperties": 1, "additionalProperties": False},
    }


def docs_file() -> Json:
    text = _text(r"^[^\n]*\S[^\n]*$")
    errors: Json = dict.fromkeys(sorted(docs.ERRORS), text)
    own: Json = {
        docs.FORMULA: {"description": "The formula, in one line.", **text},
        docs.ARGS: {"description": "For each argument its shape, and what it is.", **_named(_NAME, text)},
        docs.RETURNS: {
            "description": "What is returned: a line, or one for each result.",
            "anyOf": [text, {**_list_of(text), "minItems": 1}],
        },
        docs.RAISES: {
            "description": "When each class of errors is raised, as a clause after 'if'.",
            **{"type": "object", "properties": errors, "minProperties": 1, "additionalProperties": False},
        },
        docs.EXAMPLE: {"description": "A session of Python, as doctest reads it.", **_text(r"^\s*>>> ")},
    }
    assert tuple(own) == docs.FIELDS
    entry = {
        "properties": own,
        "patternProperties": {
            f"^(?!({'|'.join(own)})$)({_NAME}::)?{_NAME}$": {
                "description": "What it does, in one sentence.",
                **text,
            }
        },
        "minProperties": 1,
        "maxProperties": 1 + len(own),
        "additionalProperties": False,
    }
    return _file("Sentences about operators: docs.yaml", entry)


def autocast_file() -> Json:
    fields = {
        "cast": {"description": "To what inputs are cast.", "enum": list(autocast.CASTS)},
        "devices": {"description": "The devices whose regions cast.", **_list_of({"enum": list(DEVICES)})},
        "ops": {"description": "The operators, by name and overload.", **_list_of(_text(f"^{_OPERATOR}$"))},
        "instead": {"description": "What to use for refused ones.", **_text(f"^{_OPERATOR}$")},
    }
    assert fields.keys() == set(autocast.FIELDS)
    properties = {n: {**field, "minItems": 1} if "items" in field else field for n, field in fields.items()}
    required = [name for name in fields if name != "instead"]
    entry = {"properties": properties, "required": required, "additionalProperties": False}
    return _file("Casts within autocast: autocast.yaml", entry)


def batching_file() -> Json:
    own: Json = {
        "ops": {"description": "The operators, by name and overload.", **_list_of(_text(f"^{_OPERATOR}$"))},
        **{
            kind: {"description": "The rule, and what it needs.", "type": ["string", "number", "null"]}
            for kind in batching.KINDS
        },
        "roles": {"type": "object", "additionalProperties": _text()},
        "formula": {"description": EXPRESSION, **_text()},
    }
    assert own.keys() == set(batching.FIELDS)
    entry = {"properties": own, "required": ["ops"], "additionalProperties": False}
    entry["anyOf"] = [{"required": [field]} for field in (*batching.KINDS, "formula")]
    return _file("Rules for batches: batching.yaml", entry)


def deprecated_file() -> Json:
    own = {
        "name": {"description": "The old signature.", **_text(r"\(")},
        "aten": {"description": "The call that it stands for.", **_text(r"\(")},
    }
    return _file(
        "Deprecated signatures: deprecated.yaml",
        {"properties": own, "required": list(own), "additionalProperties": False},
    )


def configuration() -> Json:
    """Returns the JSON Schema of opgen.toml."""
    kinds: dict[config.Kind, Json] = {
        config.Kind.text: _text(),
        config.Kind.path: _text(),
        config.Kind.texts: {"anyOf": [_text(), _list_of(_text())]},
        config.Kind.paths: {"anyOf": [_text(), _list_of(_text())]},
        config.Kind.number: {"type": "integer"},
        config.Kind.flag: {"type": "boolean"},
        config.Kind.end: _text(),
    }
    rules: Json = {"type": "object", "additionalProperties": {"enum": list(config.LEVELS)}}
    allowed = {
        "type": "object",
        "properties": {key: kinds[kind] for key, kind in config.ALLOW_KEYS.items()},
        "required": [key for key in config.ALLOW_KEYS if key != "expires"],
        "additionalProperties": False,
    }
    own_tables: Json = {"rules": rules, "allow": _list_of(allowed)}
    breaking = {key: own_tables.get(key) or kinds[kind] for key, kind in config.BREAKING_KEYS.items()}
    build = {key: kinds[kind] for key, kind in config.BUILD_KEYS.items()}
    tables: Json = {
        "rules": rules,
        "build": {"type": "object", "properties": build, "additionalProperties": False},
        "breaking": {"type": "object", "properties": breaking, "additionalProperties": False},
    }
    own = {key: tables.get(key) or kinds[kind] for key, kind in config.KEYS.items()}
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Configuration: opgen.toml"}
    return {**head, "type": "object", "properties": own, "additionalProperties": False}


FILES: dict[str, Callable[[], Json]] = {
    "native_functions": functions,
    "tags": tag_file,
    "derivatives": derivatives_file,
    "checks": checks_file,
    "docs": docs_file,
    "autocast": autocast_file,
    "batching": batching_file,
    "deprecated": deprecated_file,
    "opgen": configuration,
}
