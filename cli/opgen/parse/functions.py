"""Entries of a functions file to model functions. An entry that gives none is reported and left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as MappingOf
from types import MappingProxyType
from typing import Any, NamedTuple

from opgen.diagnostics import Report, Span, did_you_mean
from opgen.model import DEFAULT_NAMESPACE, BaseName, DeviceCheck, Function, OperatorName, Unread, Variant
from opgen.parse import (
    edits,
    executorch,
    fields,
    foreign_files,
    kernels,
    schema_text,
    structured_fields,
    yaml_source,
)
from opgen.parse import entry_rules as rules
from opgen.parse.cursor import is_identifier
from opgen.parse.entry import Entry
from opgen.parse.nodes import Mapping, Scalar, describe
from opgen.parse.source import Item, Source

FIELDS = tuple(field.name for field in fields.FIELDS)
_MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*\Z", re.ASCII)
_FUNC_NAME = re.compile(r"func:\s*['\"]?(?:\w+::)?(\w+)", re.ASCII)
_NAMESPACE = re.compile(r"(?:(\w+)::)?[^:(]*\(", re.ASCII)
_DEFAULT_VARIANTS = frozenset({Variant.function})


class Entries(NamedTuple):
    """The functions in order, as written: nothing is filled in yet.

    `faulty`: the names (without overload, `_` and the like) of entries that could not be read or are not
    complete, as far as they are known: rules that compare entries leave these out, so that one fault does not
    cause others. `unread`: the entries that gave no function.
    """

    functions: tuple[Function, ...]
    faulty: frozenset[str]
    unread: tuple[Unread, ...]


def items(source: Source, report: Report) -> list[Item] | None:
    """Returns the entries of a functions file; None, and one fault, where it is of another format."""
    fault = foreign_files.of_text(source)
    found = yaml_source.items(source, report) if fault is None else []
    fault = fault or foreign_files.of_items(found)
    if fault is None:
        return found
    report.give_up(fault)
    return None


def read(
    items: Iterable[Item], report: Report, elsewhere: MappingOf[str, Function] = MappingProxyType({})
) -> Entries:
    """Reads the items. `elsewhere` are functions of another file, by qualified name, which entries with `op:`
    give kernels for.
    """
    functions: list[Function] = []
    faulty: set[str] = set()
    unread: list[Unread] = []
    for item in items:
        known = len(report.diagnostics)
        function = _of_item(item, report, elsewhere)
        if function is not None:
            functions.append(function)
            continue
        faults = [item.fault] if item.fault is not None else report.diagnostics[known:]
        if faults:
            unread.append(Unread(item.text, min(faults, key=lambda d: d.span), item.lines))
        func = item.node.values.get("func") if isinstance(item.node, Mapping) else None
        text = item.source.text if item.node is None else f"func: {getattr(func, 'value', '')}"
        faulty.update(_name_in(text))
    return Entries(tuple(functions), frozenset(faulty), tuple(unread))


def _of_item(item: Item, report: Report, elsewhere: MappingOf[str, Function]) -> Function | None:
    if item.node is None:
        return None
    if not isinstance(item.node, Mapping):
        message = f"an entry must be a mapping that begins with 'func:', but it is {describe(item.node)}"
        report.add(rules.NOT_A_MAPPING.at(item.source.span(item.node), message))
        return None
    return _function(Entry(item.source, item.node, report), elsewhere)


def _name_in(text: str) -> Iterator[str]:
    match = _FUNC_NAME.search(text)
    if match is not None:
        yield BaseName.parse(match[1]).base


def _function(entry: Entry, elsewhere: MappingOf[str, Function]) -> Function | None:
    _unknown_fields(entry)
    func = entry.text("func")
    if func is None:
        if "op" in entry.fields:
            return _elsewhere(entry, elsewhere)
        misspelled = any(did_you_mean(key, ("func",)) for key in entry.fields if key not in _KNOWN_FIELDS)
        if not misspelled and isinstance(entry.fields.get("func", func), Scalar | None):
            entry.fault(rules.NO_FUNC, entry.value(), "this entry has no 'func'")
        return None
    parsed = schema_text.parse(func.value)
    entry.schema_faults(parsed.faults, func)
    # The other fields are read even when the schema is bad, so that their faults are found in the same run.
    attributes = _attributes(entry)
    if parsed.schema is None:
        return None
    return Function(
        schema=parsed.schema,
        span=entry.source.span(func),
        line=entry.source.first_line + entry.mapping.start_mark.line + 1,
        namespace=parsed.namespace or DEFAULT_NAMESPACE,
        places=entry,
        **attributes,
    )


def _elsewhere(entry: Entry, elsewhere: MappingOf[str, Function]) -> Function | None:
    """Returns an operator of another file, with this entry's fields besides the schema."""
    attributes = _attributes(entry)
    found = executorch.operator(entry, elsewhere)
    if found is None:
        return None
    return Function(
        schema=found.schema,
        span=entry.value("op"),
        line=entry.source.first_line + entry.mapping.start_mark.line + 1,
        namespace=found.namespace,
        places=entry,
        **attributes,
    )


def _unknown_fields(entry: Entry) -> None:
    if entry.fields.keys() <= _KNOWN_FIELDS:
        return
    for key, _ in entry.mapping.pairs:
        if key.value not in _KNOWN_FIELDS:
            message, help = f"there is no field '{key.value}'", did_you_mean(key.value, FIELDS)
            entry.fault(rules.UNKNOWN_FIELD, entry.source.span(key), message, help)
            entry.misread |= help is not None and not any(field in help for field in _LOCAL_FIELDS)


_KNOWN_FIELDS = frozenset(FIELDS + executorch.FIELDS)
# Fields whose values no rule compares with other entries.
_LOCAL_FIELDS = (
    *("variants", "python_module", "category_override", "device_guard", "device_check"),
    *("cpp_no_default_args", "use_const_ref_for_mutable_tensors", "manual_cpp_binding"),
)


def _attributes(entry: Entry) -> dict[str, Any]:
    """Returns all fields but the schema; only those of the entry, as the model has the defaults."""
    found: dict[str, Any] = {}
    for name in entry.fields:
        reader = _READERS.get(name)
        if reader is not None:
            known = len(entry.report.diagnostics)
            found[name] = reader(entry)
            if len(entry.report.diagnostics) > known:
                local = name in _LOCAL_FIELDS or (name == "tags" and found[name])
                entry.misread |= not local and entry.report.failed_since(known)
    if "kernels" in entry.fields:
        found["dispatch"] = {**executorch.kernels(entry), **found.get("dispatch", {})}
    if found.pop("structured", False):
        found["structured"] = True
        named = found.get("dispatch") or {}
        found["dispatch"] = {k: kernels.as_structured(kernel) for k, kernel in named.items()}
    return found


def _variants(entry: Entry) -> frozenset[Variant]:
    variants = set()
    for word, span in entry.separated("variants"):
        if word in ("function", "method"):
            variants.add(Variant[word])
        else:
            help = did_you_mean(word, ("function", "method"))
            entry.fault(rules.VARIANT, span, f"there is no variant '{word}'", help)
    return frozenset(variants) or _DEFAULT_VARIANTS


def _device_check(entry: Entry) -> DeviceCheck:
    names = tuple(DeviceCheck.__members__)
    return DeviceCheck[entry.choice("device_check", rules.DEVICE_CHECK, names, "ExactSame")]


def _operator_name(entry: Entry, field: str, text: str, span: Span) -> OperatorName | None:
    base, dot, overload = text.partition(".")
    if not is_identifier(base) or (dot and not is_identifier(overload)):
        entry.fault(rules.FIELD_NAME, span, f"'{text}' in '{field}' is no operator's name")
        return None
    return OperatorName(BaseName.parse(base), overload)


def _autogen(entry: Entry) -> tuple[OperatorName, ...]:
    names = (_operator_name(entry, "autogen", word, span) for word, span in entry.separated("autogen"))
    return tuple(name for name in names if name is not None)


def _delegate(entry: Entry) -> OperatorName | None:
    node = entry.text("structured_delegate")
    if node is None:
        return None
    span = entry.source.span(node)
    if "::" in node.value:
        message = "a delegate is named without namespace; it is the function's own"
        namespace, _, name = node.value.partition("::")
        own = _NAMESPACE.match(getattr(entry.fields.get("func"), "value", ""))
        fix = edits.value(entry.source, node, name) if own and namespace == (own[1] or "aten") else ()
        entry.fault(rules.NAMESPACED_DELEGATE, span, message, "leave the namespace out", fix=fix)
        return None
    return _operator_name(entry, "structured_delegate", node.value, span)


def _tags(entry: Entry) -> frozenset[str]:
    node = entry.fields["tags"]
    words = re.findall(r"[^\s,\[\]]+", node.value) if isinstance(node, Scalar) else []
    if len(words) < 2:
        return frozenset(tag for tag, _ in entry.listed("tags", one_is_enough=True))
    text = f"[{', '.join(words)}]"
    fix = edits.value(entry.source, node, text)
    message = f"'tags' must be a list or one name, but it is {describe(node)}"
    entry.fault(rules.WRONG_KIND, entry.source.span(node), message, f"write {text}", fix=fix)
    return frozenset(words)


_READERS: dict[str, Callable[[Entry], object]] = {
    "variants": _variants,
    "python_module": lambda entry: entry.identifier("python_module", _MODULE),
    "dispatch": kernels.dispatch,
    "tags": _tags,
    "autogen": _autogen,
    "structured": lambda entry: entry.flag("structured", False),
    "structured_delegate": _delegate,
    "structured_inherits": lambda entry: entry.identifier("structured_inherits"),
    "precomputed": structured_fields.precomputed,
    "ufunc_inner_loop": structured_fields.ufunc_inner_loop,
    "device_guard": lambda entry: entry.flag("device_guard", True),
    "device_check": _device_check,
    "category_override": lambda entry: entry.identifier("category_override"),
    "cpp_no_default_args": lambda entry: tuple(word for word, _ in entry.listed("cpp_no_default_args")),
    "manual_cpp_binding": lambda entry: entry.flag("manual_cpp_binding", False),
    "manual_kernel_registration": lambda entry: entry.flag("manual_kernel_registration", False),
    "use_const_ref_for_mutable_tensors": lambda entry: entry.flag("use_const_ref_for_mutable_tensors", False),
}
