"""The kernels that an entry names in its `dispatch` section."""

from __future__ import annotations

from opgen.diagnostics import Related, Span, did_you_mean
from opgen.model import STRUCTURED_KEYS, YAML_KEYS, DispatchKey, Kernel, parse_key
from opgen.model.dispatch import FUNCTIONALITY_ONLY
from opgen.parse import edits
from opgen.parse import entry_rules as rules
from opgen.parse.cursor import is_identifier
from opgen.parse.entry import Entry
from opgen.parse.nodes import Mapping, Node, Scalar, describe


def dispatch(entry: Entry) -> dict[DispatchKey, Kernel]:
    node = entry.fields["dispatch"]
    kernels: dict[DispatchKey, Kernel] = {}
    if not isinstance(node, Mapping):
        entry.wrong_kind("dispatch", "a mapping of keys to kernels")
        return kernels
    for keys, value in node.pairs:
        kernel = kernel_name(entry, value)
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
                # Point at the key that is alone on its line rather than at a list of keys.
                here, other = span, kernels[key].span or span
                lone_lines = {entry.source.span(k).line for k, _ in node.pairs if "," not in k.value}
                if "," in keys.value and other.line in lone_lines:
                    here, other = other, here
                related = (Related(other, "also given here"),)
                same = kernel == (kernels[key].namespace, kernels[key].name)
                fix = _without_line(entry, node, here) if same else ()
                message = f"'{key}' is given twice"
                entry.fault(rules.DISPATCH_KEY_TWICE, here, message, None, related, fix)
                continue
            kernels[key] = Kernel(key, kernel[1], kernel[0], span=span)
    return kernels


def _without_line(entry: Entry, node: Mapping, key: Span) -> edits.Edits:
    """Returns the edit that removes a key that is alone on its line."""
    alone = [k.value for k in node.keys.values() if entry.source.span(k) == key and "," not in k.value]
    return edits.without_pair(entry.source, node, alone[0]) if alone else ()


def _dispatch_key(entry: Entry, word: str, span: Span) -> DispatchKey | None:
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


def kernel_name(entry: Entry, node: Node) -> tuple[str, str] | None:
    """Returns (namespace, name); a namespace without `::native` at its end gets it, like that of ATen's
    kernels.
    """
    span = entry.source.span(node)
    if not isinstance(node, Scalar):
        entry.fault(rules.KERNEL_NAME, span, f"a kernel is a name, but this is {describe(node)}")
        return None
    *namespaces, name = node.value.split("::")
    if not all(map(is_identifier, [*namespaces, name])) or len(namespaces) > 3:
        entry.fault(rules.KERNEL_NAME, span, f"'{node.value}' is no C++ function's name")
        return None
    return "::".join([*(namespaces or ["at"]), "native"]), name


def as_structured(kernel: Kernel) -> Kernel:
    structured = kernel.key in STRUCTURED_KEYS
    return Kernel(kernel.key, kernel.name, kernel.namespace, structured, kernel.span)
