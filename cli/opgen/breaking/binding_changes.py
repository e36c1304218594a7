"""Fields of an entry that decide what C++ and Python callers see besides the schema."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.finding import NOBODY, Bump, Finding, Rule, effects
from opgen.breaking.pair import Pair, Witness
from opgen.breaking.written import field_shown, list_shown
from opgen.model import DeviceCheck, Variant

_BOTH = "variants: function, method"
_CALLERS = effects(cpp="X", abi="X", python="X")
_S = "f(Tensor self) -> Tensor"
_KERNEL = "dispatch: {CPU: k}"

METHOD_REMOVED = Rule(
    "OPB701",
    "variant-method-removed",
    "The operator is no method of Tensor any more.",
    _CALLERS,
    Bump.major,
    ex.entry(_S, _BOTH),
    ex.entry(_S, "variants: function"),
    "keep the method",
)
FUNCTION_REMOVED = Rule(
    "OPB702",
    "variant-function-removed",
    "The operator is no function any more.",
    _CALLERS,
    Bump.major,
    ex.entry(_S, _BOTH),
    ex.entry(_S, "variants: method"),
    "keep the function",
)
VARIANT_ADDED = Rule(
    "OPB703",
    "variant-added",
    "The operator is a method, or a function, as well.",
    NOBODY,
    Bump.minor,
    ex.entry(_S, "variants: function"),
    ex.entry(_S, _BOTH),
)
MODULE_CHANGED = Rule(
    "OPB704",
    "python-module-changed",
    "Python finds the operator in another module.",
    effects(cpp="w", python="X"),
    Bump.major,
    ex.entry(_S, "python_module: nn"),
    ex.entry(_S),
    "keep python_module",
)
DEVICE_CHECK = Rule(
    "OPB705",
    "device-check-tightened",
    "Tensors of different devices are refused.",
    effects(cpp="X", python="X", graph_bc="X"),
    Bump.major,
    ex.entry(_S, "device_check: NoCheck", _KERNEL),
    ex.entry(_S, _KERNEL),
    "keep device_check: NoCheck",
)
CONST_REF = Rule(
    "OPB706",
    "const-ref-changed",
    "Tensors that are written to are passed in another way (use_const_ref_for_mutable_tensors).",
    effects(cpp="w", abi="X", backend="w"),
    Bump.minor,
    ex.entry("f_(Tensor(a!) self) -> Tensor(a!)"),
    ex.entry("f_(Tensor(a!) self) -> Tensor(a!)", "use_const_ref_for_mutable_tensors: True"),
    "leave use_const_ref_for_mutable_tensors as it was",
)
MANUAL_BINDING = Rule(
    "OPB707",
    "manual-binding-added",
    "The C++ function or the registration of the kernel is no longer generated.",
    effects(cpp="X", abi="X", backend="X"),
    Bump.major,
    ex.entry(_S),
    ex.entry(_S, "manual_cpp_binding: True"),
    "write by hand what is no longer generated, under the same names",
)
RULES = (
    *(METHOD_REMOVED, FUNCTION_REMOVED, VARIANT_ADDED, MODULE_CHANGED, DEVICE_CHECK, CONST_REF),
    MANUAL_BINDING,
)


def compare(pair: Pair) -> Iterator[Finding]:
    if pair.old.variants != pair.new.variants:
        yield from _variants(pair)
    if pair.old.python_module != pair.new.python_module and pair.both_written:
        yield _module(pair)
    old, new = pair.old, pair.new
    tightened = (old.device_check, new.device_check) == (DeviceCheck.NoCheck, DeviceCheck.ExactSame)
    if tightened and pair.both_written and old.schema.arguments.has_tensor():
        yield _device_check(pair)
    by_const_ref = old.use_const_ref_for_mutable_tensors, new.use_const_ref_for_mutable_tensors
    if by_const_ref[0] != by_const_ref[1] and any(old.schema.written_arguments()):
        yield _const_ref(pair)
    for field in ("manual_cpp_binding", "manual_kernel_registration"):
        if getattr(new, field) and not getattr(old, field):
            yield _manual(pair, field)


def _variants(pair: Pair) -> Iterator[Finding]:
    old, new = pair.old.variants, pair.new.variants
    if pair.old.schema.arguments.self_arg is not None and pair.new.schema.arguments.self_arg is None:
        old = old - {Variant.method}  # impossible: the argument has a finding of its own
    for variant, rule in ((Variant.method, METHOD_REMOVED), (Variant.function, FUNCTION_REMOVED)):
        if variant in old - new:
            call = calls.method(pair.old) if variant is Variant.method else calls.cpp_call(pair.old)
            witness = Witness(call, f"there is no such {variant.value}")
            yield _variant(pair, rule, variant, f"there is no {variant.value} of it any more", witness)
    for variant in sorted(new - old, key=lambda v: v.value):
        yield _variant(pair, VARIANT_ADDED, variant, f"there is a {variant.value} of it, too")


def _variant(
    pair: Pair, rule: Rule, variant: Variant, message: str, witness: Witness | None = None
) -> Finding:
    before, after = (
        list_shown("variants", {v.value: v is variant for v in Variant if v in function.variants})
        for function in (pair.old, pair.new)
    )
    return pair.field(rule, message, "variants", before, after, subject=variant.value, witness=witness)


def _module(pair: Pair) -> Finding:
    was, now = pair.old.python_module or "", pair.new.python_module or ""
    call = calls.python(pair.old)
    before, after = (f"in the module '{m}'" if m else "in no module" for m in (was, now))
    return pair.field(
        MODULE_CHANGED,
        f"Python finds it {after}, and found it {before}",
        "python_module",
        field_shown("python_module", was),
        field_shown("python_module", now),
        subject="python_module",
        witness=Witness(f"{was}.{call}" if was else call, f"AttributeError: it is {after}"),
    )


def _device_check(pair: Pair) -> Finding:
    return pair.field(
        DEVICE_CHECK,
        "all tensors have to be on one device now",
        "device_check",
        field_shown("device_check", pair.old.device_check.value),
        field_shown("device_check", pair.new.device_check.value),
        subject="device_check",
        witness=Witness(f"{calls.python(pair.old)} of two devices", "RuntimeError: the devices differ"),
    )


def _const_ref(pair: Pair) -> Finding:
    name = "use_const_ref_for_mutable_tensors"
    new = getattr(pair.new, name)
    return pair.field(
        CONST_REF,
        f"tensors that are written to are {'const at::Tensor &' if new else 'at::Tensor &'} now",
        name,
        field_shown(name, str(getattr(pair.old, name))),
        field_shown(name, str(new)),
        subject=name,
        witness=Witness(calls.struct(pair.old), "no such symbol: the types of its arguments differ"),
    )


def _manual(pair: Pair, field: str) -> Finding:
    what = "C++ function" if field == "manual_cpp_binding" else "registration of its kernel"
    return pair.field(
        MANUAL_BINDING,
        f"the {what} is no longer generated",
        field,
        field_shown(field, "False"),
        field_shown(field, "True"),
        subject=field,
        witness=Witness(calls.cpp_call(pair.old), f"only what is written by hand is there: {field}"),
    )
