"""The methods behind Python's own syntax: `a + b` is the method `add`, where the library has one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

from opgen.template_views.atoms import Cpp, Ident, c_literal
from opgen.template_views.python_model import Binding

BINARY = {
    "nb_add": "add", "nb_subtract": "sub", "nb_multiply": "mul", "nb_matrix_multiply": "matmul",
    "nb_true_divide": "div", "nb_floor_divide": "floor_divide", "nb_remainder": "remainder",
    "nb_and": "bitwise_and", "nb_or": "bitwise_or", "nb_xor": "bitwise_xor",
    "nb_lshift": "bitwise_left_shift", "nb_rshift": "bitwise_right_shift",
}  # fmt: skip
INPLACE = {
    slot.replace("nb_", "nb_inplace_", 1): f"{name}_" for slot, name in BINARY.items() if name != "matmul"
}
UNARY = {"nb_negative": "neg", "nb_absolute": "abs", "nb_invert": "bitwise_not"}
COMPARISONS = {"Py_LT": "lt", "Py_LE": "le", "Py_EQ": "eq", "Py_NE": "ne", "Py_GT": "gt", "Py_GE": "ge"}


@dataclasses.dataclass(frozen=True, slots=True)
class SlotView:
    """The slot of a Python operator. `method` and `function` are the generated C++ functions; `function` is
    nullptr where only the method exists.
    """

    slot: Ident
    method: Ident
    function: Ident
    call: Cpp


@dataclasses.dataclass(frozen=True, slots=True)
class IndexView:
    """The view of the index; `take_numbers`: names of operators that accept a scalar where their schemas say
    Tensor.
    """

    template: Cpp
    shards: tuple[int, ...]
    symbols: tuple[Ident, ...]
    binary: tuple[SlotView, ...]
    inplace: tuple[SlotView, ...]
    ternary: tuple[SlotView, ...]
    unary: tuple[SlotView, ...]
    comparisons: tuple[SlotView, ...]
    slots: tuple[Ident, ...]
    take_numbers: tuple[Cpp, ...]
    tags: tuple[Cpp, ...]


def binary_call(row: SlotView) -> Cpp:
    kind = "divide" if row.slot == "nb_true_divide" else "binary"
    return Cpp(f"{kind}_operator(a, b, {row.method}, {row.function})")


def comparison_call(row: SlotView) -> Cpp:
    if row.slot in ("Py_EQ", "Py_NE"):
        return Cpp(f"equality_operator(a, b, {row.method})")
    return Cpp(f"binary_operator(a, b, {row.method}, nullptr)")


def unary_call(row: SlotView) -> Cpp:
    if row.slot == "nb_invert":
        return Cpp(f"invert_operator(a, {row.method})")
    return Cpp(f"{row.method}(a, nullptr, 0, nullptr)")


def index_view(
    template: Cpp,
    found: Sequence[Binding],
    shards: int,
    symbol: Callable[[Binding], Ident],
    take_numbers: Sequence[str],
    tags: Iterable[str],
) -> IndexView:
    methods = {b.name: symbol(b) for b in found if b.is_method}
    functions = {b.name: symbol(b) for b in found if b.module == ""}

    def rows(table: dict[str, str]) -> tuple[SlotView, ...]:
        return tuple(
            SlotView(Ident(slot), methods[name], functions.get(name, Ident("nullptr")), Cpp(""))
            for slot, name in table.items()
            if name in methods
        )

    binary = tuple(dataclasses.replace(row, call=binary_call(row)) for row in rows(BINARY))
    comparisons = tuple(dataclasses.replace(row, call=comparison_call(row)) for row in rows(COMPARISONS))
    inplace = rows(INPLACE)
    unary = tuple(dataclasses.replace(row, call=unary_call(row)) for row in rows(UNARY))
    ternary = []
    for slot, name, kind in (("nb_power", "pow", "binary"), ("nb_inplace_power", "pow_", "inplace")):
        if name in methods:
            method, function = methods[name], functions.get(name, Ident("nullptr"))
            rest = f", {function}" if kind == "binary" else ""
            ternary.append(
                SlotView(Ident(slot), method, function, Cpp(f"{kind}_operator(a, b, {method}{rest})"))
            )
    used = [*binary, *inplace, *unary, *ternary]
    symbols = {s for row in (*used, *comparisons) for s in (row.method, row.function) if s != "nullptr"}
    return IndexView(
        template=template,
        shards=tuple(range(shards)),
        symbols=tuple(sorted(symbols)),
        binary=binary,
        inplace=inplace,
        ternary=tuple(ternary),
        unary=unary,
        comparisons=comparisons,
        slots=tuple(row.slot for row in used),
        take_numbers=tuple(map(c_literal, take_numbers)),
        tags=tuple(map(c_literal, tags)),
    )
