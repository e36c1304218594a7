"""Random schema strings: made by the grammar, mutated from it, and noise; and the properties that must hold
for each.
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from front import ROOT
from opgen.model import Base
from opgen.parse import schema_text
from opgen.parse.cursor import Part

DEFAULTS = {
    "int": ("0", "-1", "9223372036854775807", "-9223372036854775808", "Mean"),
    "SymInt": ("0", "1", "-1"),
    "float": ("0.5", "1e-05", "-0.0", "1e100", "inf", ".5", "1."),
    "Scalar": ("1", "0.5", "-2"),
    "bool": ("True", "False"),
    "str": ('"mean"', "'none'", '"a\\"b"', '"(,) -> *=!"', '""'),
    "ScalarType": ("long",),
    "MemoryFormat": ("contiguous_format",),
}
BASES = tuple(b.value for b in Base)
# The types that torch's parser knows; the others occur in declarations only.
TORCH_BASES = (
    *("Tensor", "int", "SymInt", "float", "Scalar", "bool", "str", "ScalarType", "Layout", "Device"),
    *("MemoryFormat", "Generator", "Dimname", "Storage", "Stream", "SymBool"),
)
WORDS = ("self", "other", "dim", "out", "input", "a", "x1", "_y", "dtype", "layout", "device", "pin_memory")
LETTERS = "()[]{}|!?*,.=->'\" abTensorint0123:\\;\n\t\u00e9\u202e\x00$`"
TOKENS = (
    *("Tensor", "Tensor(a!)", "Tensor(a -> *)", "Tensor!", "(a|b)", "int[2]", "[]", "?", "*", ", ", ",", "="),
    *(" -> ", "->", "()", ")", "(", "=None", "=[0,1]", "::", ".", "_out", "__torch__.torch.classes.", "!"),
    *('="', "'", "\\", " ", "  ", "Tensor[]?", "int[][]", "=1e400", "99999999999999999999", "*)", "int[0]"),
)


def schema(chance: random.Random) -> str:
    """Returns a schema that follows the grammar."""
    name = chance.choice(("f", "add", "_foo", "conv2d", "__and__", "f_", "x_y", "ns::f", "at::g_"))
    overload = chance.choice(("", "", ".Tensor", ".out", ".x_1", ".Scalar_out"))
    names = chance.sample(WORDS, chance.randint(0, 6))
    split = chance.randint(0, len(names))
    arguments = [_argument(chance, n, with_default=i > 1) for i, n in enumerate(names)]
    if split < len(names):  # arguments that are written to come last
        arguments[split:] = ["*", *sorted(arguments[split:], key=lambda a: re.search("![) ]", a) is not None)]
    returns = [_type(chance) for _ in range(chance.choice((0, 1, 1, 1, 2, 3)))]
    if len(returns) == 1:
        return f"{name}{overload}({', '.join(arguments)}) -> {returns[0]}"
    named = [f"{t} r{i}" for i, t in enumerate(returns)] if chance.random() < 0.4 else returns
    return f"{name}{overload}({', '.join(arguments)}) -> ({', '.join(named)})"


def _type(chance: random.Random) -> str:
    base = chance.choice(TORCH_BASES) if chance.random() < 0.6 else "Tensor"
    if base == "Tensor" and chance.random() < 0.3:
        annotated = chance.choice(("(a)", "(b!)", "(a -> *)", "(a|b)", "(c! -> c|d)"))
        return "Tensor" + annotated + chance.choice(("", "", "?", "[]"))
    return base + chance.choice(("", "", "", "?", "[]", "[2]", "[]?", "?[]"))


def _argument(chance: random.Random, name: str, with_default: bool) -> str:
    type = _type(chance)
    if not with_default or chance.random() < 0.5:
        return f"{type} {name}"
    base = re.match(r"\w+", type)[0]
    if type.endswith("?"):
        return f"{type} {name}=None"
    if type == base and base in DEFAULTS:
        return f"{type} {name}={chance.choice(DEFAULTS[base])}"
    if type in ("int[]", "SymInt[]", "int[2]"):
        lists = ("[0,1]", "[2, 3]") if "2" in type else ("[]", "[1]", "[0,1]")
        return f"{type} {name}={chance.choice(lists)}"
    return f"{type} {name}"


def real() -> list[str]:
    """Returns the schemas of this repository, as seeds."""
    text = (ROOT / "schemas" / "native_functions.yaml").read_text()
    return re.findall(r"^- func: (.*?)(?: #.*)?$", text, re.MULTILINE)


SEEDS = real()


def mutated(chance: random.Random) -> str:
    text = chance.choice(SEEDS) if chance.random() < 0.5 else schema(chance)
    for _ in range(chance.randint(1, 5)):
        at, end = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        match chance.randrange(7):
            case 0:
                text = text[:at] + chance.choice(LETTERS) + text[at:]
            case 1:
                text = text[:at] + text[min(end, at + 6) :]
            case 2:
                text = text[:at] + chance.choice(TOKENS) + text[at:]
            case 3:
                text = text[:at] + text[at:end] * 2 + text[end:]
            case 4:
                other = chance.choice(SEEDS)
                text = text[:at] + other[chance.randrange(len(other)) :]
            case 5:
                text = text[:at] + chance.choice(TOKENS) + text[end:]
            case _:
                text = text.replace(chance.choice(BASES), chance.choice(BASES), 1)
    return text


def noise(chance: random.Random) -> str:
    if chance.random() < 0.5:
        return "".join(chance.choice(TOKENS) for _ in range(chance.randint(0, 40)))
    return "".join(chr(int(chance.expovariate(0.01))) for _ in range(chance.randint(0, 60)))


class Input(NamedTuple):
    text: str
    valid: bool  # made by the grammar, so it must be accepted


def make(chance: random.Random) -> Input:
    kind = chance.random()
    if kind < 0.25:
        return Input(schema(chance), True)
    return Input(mutated(chance) if kind < 0.9 else noise(chance), False)


def holds(given: Input) -> None:
    """Checks a schema. Raises AssertionError, or whatever the parser should not have raised."""
    text = given.text
    parsed = schema_text.parse(text)
    assert (parsed.schema is None) <= bool(parsed.faults), "neither schema nor fault"
    for fault in parsed.faults:
        assert 0 <= fault.start < fault.end <= len(text) + 1, f"{fault} is outside"
        assert fault.message and "\n" not in repr(fault.message)
    full = schema_text._Parser(text).parse()
    assert (parsed.schema, parsed.faults) == (full.schema, full.faults), "the fast path differs"
    _layout_is_inside(text)
    if given.valid:
        assert not parsed.faults, f"refused: {[f.message for f in parsed.faults]}"
    if not parsed.faults:
        namespace = f"{parsed.namespace}::" if parsed.namespace else ""
        assert namespace + str(parsed.schema) == text, "does not print as it was written"
        parsed.schema.kind()


def _layout_is_inside(text: str) -> None:
    layout = schema_text.layout(text)
    ranges = [layout.namespace, layout.name, layout.overload, layout.all_returns]
    for part in (*layout.arguments.values(), *layout.returns):
        ranges += [getattr(part, field) for field in Part.__dataclass_fields__]
    assert all(0 <= start <= end <= len(text) + 1 for start, end in ranges), "a part is outside"
