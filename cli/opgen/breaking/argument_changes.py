"""Changes of arguments: renamed, removed and new ones."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking import calls
from opgen.breaking import examples as ex
from opgen.breaking.arguments_matched import Kept, Passed, Slot
from opgen.breaking.finding import EVERYONE, Bump, Finding, Rule, effects
from opgen.breaking.pair import Pair, Witness

RENAMED = Rule(
    "OPB201",
    "arg-renamed",
    "An argument of the same place and type has another name.",
    effects(python="X", graph_bc="X", graph_fc="X"),
    Bump.major,
    ex.f("Tensor self, int k"),
    ex.f("Tensor self, int n"),
    "keep the old name, or keep the old schema as an overload of its own",
)
SELF_RENAMED = Rule(
    "OPB202",
    "self-renamed",
    "The receiver is no longer called self, so there can be no method.",
    effects(cpp="X", abi="X", python="X", graph_bc="X", graph_fc="X"),
    Bump.major,
    ex.f("Tensor self"),
    ex.f("Tensor x"),
    "keep the name 'self'",
)
OUT_RENAMED = Rule(
    "OPB203",
    "out-arg-renamed",
    "An out argument has another name.",
    effects(python="X", graph_bc="X", graph_fc="X"),
    Bump.major,
    ex.F_OUT,
    ex.func("f.out(Tensor self, *, Tensor(a!) result) -> Tensor(a!)"),
    "keep the old name",
)
REMOVED_REQUIRED = Rule(
    "OPB204",
    "arg-removed-required",
    "An argument that had to be given is gone.",
    EVERYONE,
    Bump.major,
    ex.f("Tensor self, int k"),
    ex.f("Tensor self"),
    "keep the old schema, and declare the new one as another overload",
)
REMOVED_DEFAULTED = Rule(
    "OPB205",
    "arg-removed-defaulted",
    "An argument with a default is gone.",
    effects(cpp="X", abi="X", python="w", graph_bc="X", backend="X"),
    Bump.major,
    ex.f("Tensor self, int k=0"),
    ex.f("Tensor self"),
    "keep the argument, and let the kernel refuse what it no longer does",
)
ADDED_REQUIRED = Rule(
    "OPB206",
    "arg-added-required",
    "A new argument has to be given.",
    EVERYONE,
    Bump.major,
    ex.f("Tensor self"),
    ex.f("Tensor self, int k"),
    "append it with a default, or declare another overload",
)
KEYWORD_REQUIRED = Rule(
    "OPB207",
    "kwarg-added-required",
    "A new keyword-only argument has to be given.",
    EVERYONE,
    Bump.major,
    ex.f("Tensor self"),
    ex.f("Tensor self, *, int k"),
    "give it a default, or declare another overload",
)
OUT_ADDED = Rule(
    "OPB208",
    "out-arg-added",
    "There is one more out argument.",
    EVERYONE,
    Bump.major,
    ex.F_OUT,
    ex.func("f.out(Tensor self, *, Tensor(a!) out, Tensor(b!) more) -> (Tensor(a!), Tensor(b!))"),
    "declare another overload",
)
ADDED_END = Rule(
    "OPB211",
    "arg-added-defaulted-end",
    "A new argument with a default follows all others.",
    effects(abi="X", graph_fc="w", backend="X"),
    Bump.minor,
    ex.f("Tensor self"),
    ex.f("Tensor self, int k=0"),
    "declare another overload, so that kernels of the old signature still register",
)
ADDED_LIST = Rule(
    "OPB212",
    "arg-added-defaulted-list",
    "A new argument whose default is a list follows all others.",
    effects(abi="X", graph_fc="w", backend="X"),
    Bump.minor,
    ex.f("Tensor self"),
    ex.f("Tensor self, int[2] k=0"),
    "declare another overload, so that kernels of the old signature still register",
)
ADDED_MIDDLE = Rule(
    "OPB213",
    "arg-added-defaulted-middle",
    "A new argument with a default stands before another that callers give by position.",
    effects(cpp="S", abi="X", python="S", graph_bc="X", graph_fc="X", backend="X"),
    Bump.major,
    ex.f("Tensor self, int j=1"),
    ex.f("Tensor self, int k=0, int j=1"),
    "append it after all others",
)
KEYWORD_END = Rule(
    "OPB214",
    "kwarg-added-defaulted-end",
    "A new keyword-only argument with a default follows all others.",
    effects(abi="X", graph_fc="w", backend="X"),
    Bump.minor,
    ex.f("Tensor self"),
    ex.f("Tensor self, *, bool g=False"),
    "declare another overload, so that kernels of the old signature still register",
)
KEYWORD_BEFORE = Rule(
    "OPB215",
    "kwarg-added-defaulted-before",
    "A new argument with a default stands before a keyword-only one, which C++ gives by position.",
    effects(cpp="S", abi="X", graph_bc="w", graph_fc="w", backend="X"),
    Bump.major,
    ex.f("Tensor self, *, int j=0"),
    ex.f("Tensor self, *, int k=0, int j=0"),
    "append it after all others",
)
BEFORE_OUT = Rule(
    "OPB216",
    "out-variant-arg-inserted",
    "A new argument with a default comes before out arguments, where C++ has no defaults.",
    effects(cpp="w", abi="X", graph_fc="w", backend="X"),
    Bump.minor,
    ex.F_OUT,
    ex.func("f.out(Tensor self, *, int k=0, Tensor(a!) out) -> Tensor(a!)"),
    "declare another overload",
)
RULES = (
    *(RENAMED, SELF_RENAMED, OUT_RENAMED, REMOVED_REQUIRED, REMOVED_DEFAULTED, ADDED_REQUIRED),
    *(KEYWORD_REQUIRED, OUT_ADDED, ADDED_END, ADDED_LIST, ADDED_MIDDLE, KEYWORD_END, KEYWORD_BEFORE),
    BEFORE_OUT,
)


def compare(pair: Pair) -> Iterator[Finding]:
    for kept in pair.arguments.kept:
        if kept.renamed:
            yield _renamed(pair, kept)
    for slot in pair.arguments.removed:
        yield _removed(pair, slot)
    for slot in pair.arguments.added:
        yield _added(pair, slot)


def _renamed(pair: Pair, kept: Kept) -> Finding:
    old, new = kept.old.name, kept.new.name
    rule = RENAMED
    if kept.old.passed is Passed.out:
        rule = OUT_RENAMED
    elif old == "self":
        rule = SELF_RENAMED
    return pair.changed(
        rule,
        f"the argument '{old}' is called '{new}' now",
        [pair.was.argument(old, "name")],
        [pair.now.argument(new, "name")],
        subject=f"argument {old}",
        witness=Witness(
            calls.python(pair.old, keyword=[old]),
            f"TypeError: there is no argument '{old}'; it is '{new}' now",
        ),
    )


def _removed(pair: Pair, slot: Slot) -> Finding:
    required = slot.argument.default is None
    return pair.changed(
        REMOVED_REQUIRED if required else REMOVED_DEFAULTED,
        f"the argument '{slot.name}' is gone",
        [pair.was.argument(slot.name)],
        subject=f"argument {slot.name}",
        witness=Witness(
            calls.python(pair.old, give=[slot.name]),
            f"TypeError: there is no argument '{slot.name}' any more",
        ),
    )


def _added(pair: Pair, slot: Slot) -> Finding:
    rule = _rule_of_added(pair, slot)
    how = "has to be given" if slot.argument.default is None else f"is {slot.argument.default} unless given"
    return pair.changed(
        rule,
        f"{_WHERE[rule]} '{slot.name}', which {how}",
        now=[pair.now.argument(slot.name)],
        subject=f"argument {slot.name}",
        witness=_witness_of_added(pair, slot, rule),
    )


_WHERE = {
    ADDED_REQUIRED: "there is a new argument",
    KEYWORD_REQUIRED: "there is a new keyword-only argument",
    OUT_ADDED: "there is a new out argument",
    ADDED_END: "after all others there is a new argument",
    ADDED_LIST: "after all others there is a new argument",
    ADDED_MIDDLE: "before others that are given by position there is a new argument",
    KEYWORD_END: "after all others there is a new keyword-only argument",
    KEYWORD_BEFORE: "before keyword-only ones, which C++ gives by position, there is a new argument",
    BEFORE_OUT: "before the out arguments there is a new argument",
}


def _rule_of_added(pair: Pair, slot: Slot) -> Rule:
    if slot.passed is Passed.out:
        return OUT_ADDED
    if slot.argument.default is None:
        return ADDED_REQUIRED if slot.passed is Passed.positional else KEYWORD_REQUIRED
    later = [k.old.passed for k in pair.arguments.kept if k.new.index > slot.index]
    if Passed.positional in later:
        return ADDED_MIDDLE
    if Passed.keyword in later:
        return KEYWORD_BEFORE
    if Passed.out in later:
        return BEFORE_OUT
    if slot.passed is Passed.keyword:
        return KEYWORD_END
    is_list = slot.type.as_list() is not None and slot.argument.default != "None"
    return ADDED_LIST if is_list else ADDED_END


def _witness_of_added(pair: Pair, slot: Slot, rule: Rule) -> Witness:
    if slot.argument.default is None:
        return Witness(calls.python(pair.old), f"TypeError: the argument '{slot.name}' is missing")
    if rule in (ADDED_MIDDLE, KEYWORD_BEFORE):
        first = next(k.old for k in pair.arguments.kept if k.new.index > slot.index)
        upto = [k.old.name for k in pair.arguments.kept if k.old.index <= first.index]
        call = calls.python if rule is ADDED_MIDDLE else calls.cpp_call
        return Witness(call(pair.old, give=upto), f"what was given for '{first.name}' is '{slot.name}' now")
    return Witness(calls.registration(pair.old), f"refused: the schema has '{slot.name}', the kernel has not")
