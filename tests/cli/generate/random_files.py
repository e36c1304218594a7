"""Random functions files whose entries share few names, kernels and types, so that declarations meet; entries
with errors are left out.
"""

from __future__ import annotations

import random

from front import checked
from opgen.diagnostics import Severity

ENTRIES = 30
NAMES = ("p", "q", "p_symint", "q_outf", "p_ops", "cpu", "sizes", "p_", "q_", "my::p")
OVERLOADS = ("", "", "a", "b", "x_y")
KERNELS = ("k", "k_symint", "k2", "p", "p_out", "at::p::k", "my::k", "q")
KEYS = (
    "CPU",
    "CUDA",
    "CPU, CUDA",
    "CompositeExplicitAutograd",
    "CompositeImplicitAutograd",
    "Meta",
    "SparseCPU",
)
ARGUMENTS = ("x", "n", "result", "at", "std", "c10", "value", "grad", "from", "out0", "type", "dim", "name")
TYPES = (
    *("Tensor", "Tensor?", "Tensor[]", "Tensor?[]", "int", "int?", "int[2]", "int[]?", "SymInt", "SymInt[]"),
    *("float", "float[]?", "bool", "bool[3]", "Scalar", "Scalar?", "Scalar[]", "str", "str?", "ScalarType?"),
    *("Layout?", "Device?", "MemoryFormat?", "Generator?", "Storage", "Stream", "DeviceIndex"),
)
DEFAULTS = {
    "int": "1",
    "SymInt": "2",
    "float": "0.5",
    "bool": "True",
    "Scalar": "1",
    "str": '"a"',
    "int[2]": "0",
}
RESULTS = (
    "Tensor",
    "Tensor",
    "(Tensor, Tensor)",
    "(Tensor result, Tensor x)",
    "Tensor[]",
    "int",
    "bool",
    "()",
)
OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def _arguments(chance: random.Random) -> list[str]:
    found, defaulted = [], False
    for name in chance.sample(ARGUMENTS, chance.choice((0, 0, 1, 1, 2, 3))):
        type = chance.choice(TYPES)
        default = "None" if type.endswith("?") else DEFAULTS.get(type)
        defaulted = default is not None and (defaulted or chance.random() < 0.4)
        found.append(f"{type} {name}={default}" if defaulted else f"{type} {name}")
    return found


def _entry(chance: random.Random) -> str:
    name, overload = chance.choice(NAMES), chance.choice(OVERLOADS)
    arguments = _arguments(chance)
    if name.endswith("_"):
        arguments, result = ["Tensor(a!) self", *arguments], "Tensor(a!)"
    else:
        arguments = ["Tensor self", *arguments] if chance.random() < 0.8 else arguments
        result = chance.choice(RESULTS)
        kind = chance.random()
        if kind < 0.2:
            arguments, result, overload = [*arguments, "*", "Tensor(a!) out"], "Tensor(a!)", f"{overload}out"
        elif kind < 0.35:
            arguments, result = [*arguments, "*", OPTIONS], "Tensor"
    dot = f".{overload}" if overload else ""
    lines = [f"- func: {name}{dot}({', '.join(arguments)}) -> {result}"]
    if arguments[:1] in (["Tensor self"], ["Tensor(a!) self"]) and "*" not in arguments:
        lines.append(f"  variants: {chance.choice(('function', 'method', 'function, method'))}")
    if chance.random() < 0.8:
        lines.append("  dispatch:")
        keys = chance.sample(KEYS, 1)
        lines += [f"    {key}: {chance.choice(KERNELS)}" for key in keys]
    if "Generator? " in lines[0]:
        lines.append("  tags: nondeterministic_seeded")
    return "\n".join([*lines, ""])


def _group(chance: random.Random, number: int) -> str:
    """Returns a structured group."""
    name, kernel = f"s{number % 3}", chance.choice(("s0_out", "s1_out", f"s{number}_out"))
    arguments = ", ".join(["Tensor self", *_arguments(chance)])
    return (
        f"- func: {name}.v{number}(Tensor self, {arguments[13:]}) -> Tensor\n".replace(", )", ")")
        + f"  structured_delegate: {name}.v{number}_out\n"
        + f"- func: {name}.v{number}_out({arguments}, *, Tensor(a!) out) -> Tensor(a!)\n"
        + f"  structured: True\n  dispatch:\n    CPU: {kernel}\n"
    )


def legal(seed: int) -> str:
    """Returns a file without errors: entries that have any are left out, until there is none."""
    chance = random.Random(seed)
    entries = [_entry(chance) for _ in range(ENTRIES)] + [_group(chance, i) for i in range(3)]
    while True:
        wrong = {d.span.line for d in checked("".join(entries))[1] if d.severity is Severity.error}
        if not wrong:
            return "".join(entries)
        kept, line = [], 1
        for entry in entries:
            after = line + entry.count("\n")
            if not wrong & set(range(line, after)):
                kept.append(entry)
            line = after
        entries = kept
