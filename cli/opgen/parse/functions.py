"""Entries of a functions file to model functions. An entry that gives no function is reported and left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from opgen.diagnostics import Related, Report, did_you_mean
from opgen.model import (
    DEFAULT_NAMESPACE,
    STRUCTURED_KEYS,
    YAML_KEYS,
    Argument,
    BaseName,
    DeviceCheck,
    DispatchKey,
    Function,
    Kernel,
    OperatorName,
    Precomputed,
    UfuncKey,
    UfuncLoop,
    Variant,
    parse_key,
)
from opgen.model.dispatch import FUNCTIONALITY_ONLY
from opgen.model.dtypes import DTYPE_SETS, DTYPES
from opgen.parse import entry_rules as rules
from opgen.parse import schema_text
from opgen.parse.cursor import is_identifier
from opgen.parse.entry import Entry
from opgen.parse.yaml_source import Item, Mapping, Scalar, Sequence, describe

FIELDS = (
    *("func", "variants", "python_module", "dispatch", "tags", "autogen"),
    *("structured", "structured_delegate", "structured_inherits", "precomputed", "ufunc_inner_loop"),
    *("device_guard", "device_check", "category_override", "cpp_no_default_args"),
    *("manual_cpp_binding", "manual_kernel_registration", "use_const_ref_for_mutable_tensors"),
)
# ExecuTorch's entries: kernels instead of a dispatch section, and perhaps an operator of another file.
EXECUTORCH_FIELDS = ("op", "kernels")

_MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*\Z", re.ASCII)
_FUNC_NAME = re.compile(r"func:\s*['\"]?(?:\w+::)?(\w+)", re.ASCII)
_UFUNC = re.compile(r"(\w+) \(([\w, ]*)\)\Z", re.ASCII)
_DEFAULT_VARIANTS = frozenset({Variant.function})
_NO_TAGS: frozenset[str] = frozenset()


def read(items: Iterable[Item], report: Report) -> tuple[list[Function], frozenset[str]]:
    """The functions of the items, in order, as written: nothing is filled in yet.

    Also the names (without overload, `_` and the like) of entries with faults, as far as they can be told: rules that
    compare entries leave these out, so that one fault does not bring others along.
    """
    functions = []
    faulty: set[str] = set()
    for item in items:
        known = len(report.diagnostics)
        if item.node is None:
            faulty.update(_name_in(item.source.text))
            continue
        if not isinstance(item.node, Mapping):
            message = f"an entry must be a mapping that begins with 'func:', but it is {describe(item.node)}"
            report.add(rules.NOT_A_MAPPING.at(item.source.span(item.node), message))
            continue
        entry = Entry(item.source, item.node, report)
        function = _function(entry)
        if function is not None:
            functions.append(function)
        if len(report.diagnostics) > known:
            func = entry.fields.get("func")
            faulty.update(_name_in(f"func: {func.value}") if isinstance(func, Scalar) else ())
    return functions, frozenset(faulty)


def _name_in(text: str) -> Iterator[str]:
    match = _FUNC_NAME.search(text)
    if match is not None:
        yield BaseName.parse(match[1]).base


def _function(entry: Entry) -> Function | None:
    _unknown_fields(entry)
    func = entry.text("func")
    if func is None:
        if "op" in entry.fields:
            message = f"the schema of '{entry.fields['op'].value}' is in another file" if entry.text("op") else "no op"
            entry.fault(rules.ELSEWHERE, entry.value("op"), message)
        elif "func" not in entry.fields or isinstance(entry.fields["func"], Scalar):
            entry.fault(rules.NO_FUNC, entry.value(), "this entry has no 'func'")
        return None
    parsed = schema_text.parse(func.value)
    entry.schema_faults(parsed.faults, func)
    # The other fields are read even when the schema is bad, so that their faults are seen in the same run.
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


def _unknown_fields(entry: Entry) -> None:
    if entry.fields.keys() <= _KNOWN_FIELDS:
        return
    for key, _ in entry.mapping.pairs:
        if key.value not in _KNOWN_FIELDS:
            message = f"there is no field '{key.value}'"
            entry.fault(rules.UNKNOWN_FIELD, entry.source.span(key), message, did_you_mean(key.value, FIELDS))


_KNOWN_FIELDS = frozenset(FIELDS + EXECUTORCH_FIELDS)


def _attributes(entry: Entry) -> dict:
    """Everything but the schema; only what the entry says, the model has the defaults."""
    found: dict = {}
    for name in entry.fields:
        reader = _READERS.get(name)
        if reader is not None:
            found[name] = reader(entry)
    if "kernels" in entry.fields and "dispatch" not in found:
        found["dispatch"] = _executorch_kernels(entry)
    if found.pop("structured", False):
        found["structured"] = True
        kernels = found.get("dispatch") or {}
        found["dispatch"] = {k: _as_structured(kernel) for k, kernel in kernels.items()}
    return found


def _as_structured(kernel: Kernel) -> Kernel:
    structured = kernel.key in STRUCTURED_KEYS
    return Kernel(kernel.key, kernel.name, kernel.namespace, structured, kernel.span)


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


def _operator_name(entry: Entry, field: str, text: str, span) -> OperatorName | None:
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
        entry.fault(rules.NAMESPACED_DELEGATE, span, message)
        return None
    return _operator_name(entry, "structured_delegate", node.value, span)


def _tags(entry: Entry) -> frozenset[str]:
    return frozenset(tag for tag, _ in entry.listed("tags", one_is_enough=True))


def _dispatch(entry: Entry) -> dict[DispatchKey, Kernel]:
    node = entry.fields["dispatch"]
    kernels: dict[DispatchKey, Kernel] = {}
    if not isinstance(node, Mapping):
        entry.wrong_kind("dispatch", "a mapping of keys to kernels")
        return kernels
    for keys, value in node.pairs:
        kernel = _kernel_name(entry, value)
        offset = 0
        for part in keys.value.split(","):
            word = part.strip()
            start = offset + len(part) - len(part.lstrip())
            span = entry.source.inside(keys, start, start + max(len(word), 1))
            offset += len(part) + 1
            key = _dispatch_key(entry, word, span)
            if key is None or kernel is None:
                continue
            if key in kernels:
                related = (Related(kernels[key].span, "first given here"),)
                entry.fault(rules.DISPATCH_KEY_TWICE, span, f"'{key}' is given twice", related=related)
                continue
            kernels[key] = Kernel(key, kernel[1], kernel[0], span=span)
    return kernels


def _dispatch_key(entry: Entry, word: str, span) -> DispatchKey | None:
    key = parse_key(word)
    if key in YAML_KEYS:
        return key
    usable = [k.value for k in YAML_KEYS]
    if key is not None or word in FUNCTIONALITY_ONLY:
        entry.fault(rules.DISPATCH_KEY_NOT_HERE, span, f"kernels for '{word}' cannot be declared here")
    else:
        message = f"there is no dispatch key '{word}'"
        entry.fault(rules.DISPATCH_KEY, span, message, did_you_mean(word, usable))
    return None


def _kernel_name(entry: Entry, node) -> tuple[str, str] | None:
    """(namespace, name); a namespace of one's own gets `::native`, as the kernels of aten's have it."""
    span = entry.source.span(node)
    if not isinstance(node, Scalar):
        entry.fault(rules.KERNEL_NAME, span, f"a kernel is a name, but this is {describe(node)}")
        return None
    *namespaces, name = node.value.split("::")
    if not all(map(is_identifier, [*namespaces, name])) or len(namespaces) > 3:
        entry.fault(rules.KERNEL_NAME, span, f"'{node.value}' is no C++ function's name")
        return None
    return "::".join([*(namespaces or ["at"]), "native"]), name


def _executorch_kernels(entry: Entry) -> dict[DispatchKey, Kernel] | None:
    """The kernel without `arg_meta` serves every backend."""
    node = entry.fields["kernels"]
    for item in node.items if isinstance(node, Sequence) else ():
        meta = item.get("arg_meta") if isinstance(item, Mapping) else None
        value = item.get("kernel_name") if isinstance(item, Mapping) else None
        if isinstance(value, Scalar) and isinstance(meta, Scalar) and meta.value == "null":
            *namespaces, name = value.value.split("::")
            if all(map(is_identifier, [*namespaces, name])):
                key = DispatchKey["CompositeExplicitAutograd"]
                return {key: Kernel(key, name, "::".join(namespaces), span=entry.source.span(value))}
        entry.fault(rules.KERNEL_NAME, entry.source.span(item), "this kernel cannot be read")
    return None


def _precomputed(entry: Entry) -> Precomputed | None:
    node = entry.fields["precomputed"]
    if not isinstance(node, Sequence) or not node.items:
        entry.wrong_kind("precomputed", "a list of lines 'argument -> type name'")
        return None
    replace: dict[str, tuple[Argument, ...]] = {}
    add: tuple[Argument, ...] = ()
    for index, item in enumerate(node.items):
        span = entry.source.span(item)
        if not isinstance(item, Scalar):
            entry.fault(rules.PRECOMPUTED, span, f"a precomputed line is text, but this is {describe(item)}")
            continue
        name, arrow, declarations = item.value.rpartition(" -> ")
        if not arrow and index != len(node.items) - 1:
            entry.fault(rules.PRECOMPUTED, span, "only the last line may have no '->'")
        elif arrow and not is_identifier(name):
            entry.fault(rules.PRECOMPUTED, span, f"'{name}' is no argument's name")
        else:
            arguments = _declarations(entry, item, declarations, len(item.value) - len(declarations))
            if arrow:
                replace[name] = arguments
            else:
                add = arguments
    return Precomputed(replace, add)


def _declarations(entry: Entry, scalar: Scalar, text: str, offset: int) -> tuple[Argument, ...]:
    arguments = []
    for part in text.split(","):
        start = offset + len(part) - len(part.lstrip())
        offset += len(part) + 1
        argument, faults = schema_text.parse_argument(part.strip())
        if argument is None or argument.default is not None or argument.alias is not None:
            span = entry.source.inside(scalar, start, start + max(1, len(part.strip())))
            why = faults[0].message if faults else "neither default nor annotation is possible here"
            entry.fault(rules.PRECOMPUTED, span, f"expected 'type name': {why}")
        else:
            arguments.append(argument)
    return tuple(arguments)


def _ufunc_inner_loop(entry: Entry) -> dict[UfuncKey, UfuncLoop]:
    node = entry.fields["ufunc_inner_loop"]
    loops: dict[UfuncKey, UfuncLoop] = {}
    if isinstance(node, Sequence):
        entry.wrong_kind("ufunc_inner_loop", "a mapping of keys to functors")
        return loops
    pairs = node.pairs if isinstance(node, Mapping) else [(None, node)]
    for key_node, value in pairs:
        word = "Generic" if key_node is None else key_node.value
        if word not in UfuncKey.__members__:
            help = did_you_mean(word, UfuncKey.__members__)
            entry.fault(rules.UFUNC_KEY, entry.source.span(key_node), f"there is no ufunc key '{word}'", help)
            continue
        loop = _ufunc_loop(entry, UfuncKey[word], value)
        if loop is not None:
            loops[loop.key] = loop
    return loops


def _ufunc_loop(entry: Entry, key: UfuncKey, node) -> UfuncLoop | None:
    match = _UFUNC.match(node.value) if isinstance(node, Scalar) else None
    if match is None or not is_identifier(match[1]):
        message = f"expected 'functor (dtypes)', but this is {describe(node)}"
        entry.fault(rules.UFUNC_LOOP, entry.source.span(node), message)
        return None
    dtypes: dict[str, None] = {}
    offset = match.start(2)
    for part in match[2].split(","):
        word = part.strip()
        span = entry.source.inside(node, offset + len(part) - len(part.lstrip()), offset + len(part))
        offset += len(part) + 1
        if word in DTYPE_SETS:
            dtypes.update(dict.fromkeys(DTYPE_SETS[word]))
        elif word in DTYPES:
            dtypes[word] = None
        else:
            help = did_you_mean(word, (*DTYPES, *DTYPE_SETS))
            entry.fault(rules.UFUNC_DTYPE, span, f"there is no dtype '{word}'", help)
    return UfuncLoop(key, match[1], tuple(dtypes), node.value)


_READERS = {
    "variants": _variants,
    "python_module": lambda entry: entry.identifier("python_module", _MODULE),
    "dispatch": _dispatch,
    "tags": _tags,
    "autogen": _autogen,
    "structured": lambda entry: entry.flag("structured", False),
    "structured_delegate": _delegate,
    "structured_inherits": lambda entry: entry.identifier("structured_inherits"),
    "precomputed": _precomputed,
    "ufunc_inner_loop": _ufunc_inner_loop,
    "device_guard": lambda entry: entry.flag("device_guard", True),
    "device_check": _device_check,
    "category_override": lambda entry: entry.identifier("category_override"),
    "cpp_no_default_args": lambda entry: tuple(word for word, _ in entry.listed("cpp_no_default_args")),
    "manual_cpp_binding": lambda entry: entry.flag("manual_cpp_binding", False),
    "manual_kernel_registration": lambda entry: entry.flag("manual_kernel_registration", False),
    "use_const_ref_for_mutable_tensors": lambda entry: entry.flag("use_const_ref_for_mutable_tensors", False),
}
