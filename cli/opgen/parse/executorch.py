"""ExecuTorch's entries: `op:` names an operator whose schema is in ATen's file, `kernels:` gives kernels.

A kernel without `arg_meta` serves all dtypes and orders of dimensions, as the kernel of a dispatch key does,
so it becomes the kernel of CompositeExplicitAutograd. Kernels for certain dtypes are selected behind that
key: they are read, so that their faults are found, but are not part of a dispatch section.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingOf

from opgen.diagnostics import did_you_mean
from opgen.model import DEFAULT_NAMESPACE, DispatchKey, Function, Kernel
from opgen.parse import entry_rules as rules
from opgen.parse.entry import Entry
from opgen.parse.fields import EXECUTORCH_FIELDS
from opgen.parse.kernels import kernel_name
from opgen.parse.nodes import Mapping, Node, Scalar, Sequence, describe
from opgen.parse.source import Item

FIELDS = tuple(field.name for field in EXECUTORCH_FIELDS)
_KEY = DispatchKey["CompositeExplicitAutograd"]


def is_one(items: Iterable[Item]) -> bool:
    """Whether it is an ExecuTorch file. Entries with `dispatch` and with `kernels` are never mixed."""
    return any(isinstance(item.node, Mapping) and "kernels" in item.node.values for item in items)


def operator(entry: Entry, elsewhere: MappingOf[str, Function]) -> Function | None:
    """Returns the operator of another file that the entry names."""
    node = entry.text("op")
    if node is None:
        if "op" in entry.fields:
            entry.fault(rules.ELSEWHERE, entry.value("op"), "'op' names no operator")
        return None
    name = node.value.removeprefix(f"{DEFAULT_NAMESPACE}::")
    found = elsewhere.get(name)
    if found is None:
        message = f"the schema of '{name}' is in another file"
        help = "say in which: --aten native_functions.yaml"
        if elsewhere:
            message, help = (
                f"there is no operator '{name}' in ATen's file",
                did_you_mean(name, elsewhere) or "",
            )
        entry.fault(rules.ELSEWHERE, entry.value("op"), message, help or None)
    return found


def kernels(entry: Entry) -> dict[DispatchKey, Kernel]:
    """Returns the kernel that serves every type, if there is one."""
    found: dict[DispatchKey, Kernel] = {}
    for item, name in _named(entry):
        meta = item.values.get("arg_meta")
        if isinstance(meta, Mapping):
            _special(entry, meta)
        elif meta is not None and not (isinstance(meta, Scalar) and meta.value in ("null", "~", "")):
            message = f"'arg_meta' is null or a mapping of arguments, but it is {describe(meta)}"
            entry.fault(rules.WRONG_KIND, entry.source.span(meta), message)
        elif _KEY in found:
            span = entry.source.span(item)
            entry.fault(rules.REPEATED, span, "a second kernel without 'arg_meta', which serves every type")
        else:
            span = entry.source.span(item.values["kernel_name"])
            found[_KEY] = Kernel(_KEY, name[1], name[0], span=span)
    return found


def _named(entry: Entry) -> Iterator[tuple[Mapping, tuple[str, str]]]:
    """Yields the items of `kernels` that can be read, with namespace and name of their kernels."""
    node = entry.fields["kernels"]
    if not isinstance(node, Sequence):
        entry.wrong_kind("kernels", "a list of kernels")
        return
    for item in node.items:
        value = item.values.get("kernel_name") if isinstance(item, Mapping) else None
        if not isinstance(item, Mapping) or value is None:
            message = f"a kernel is a mapping with 'kernel_name', but this is {describe(item)}"
            entry.fault(rules.KERNEL_NAME, entry.source.span(item), message)
            continue
        name = kernel_name(entry, value)
        if name is not None:
            yield item, name


def _special(entry: Entry, meta: Mapping) -> None:
    """Checks an `arg_meta` such as `{self: [T0, D0]}`: both names must be aliases of the entry."""
    for argument, value in meta.pairs:
        pair = value.items if isinstance(value, Sequence) else []
        if len(pair) != 2:
            message = f"'{argument.value}' needs a type alias and an order alias, as in [T0, D0]"
            entry.fault(rules.WRONG_KIND, entry.source.span(value), message)
            continue
        for field, name in zip(("type_alias", "dim_order_alias"), pair, strict=True):
            _must_be_alias(entry, field, name)


def _must_be_alias(entry: Entry, field: str, name: Node) -> None:
    known = entry.fields.get(field)
    names = list(known.values) if isinstance(known, Mapping) else []
    if not isinstance(name, Scalar) or name.value not in names:
        shown = name.value if isinstance(name, Scalar) else describe(name)
        message = f"'{shown}' is not in '{field}' of this entry"
        entry.fault(rules.FIELD_NAME, entry.source.span(name), message, did_you_mean(shown, names))
