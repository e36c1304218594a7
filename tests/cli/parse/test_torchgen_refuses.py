"""What torchgen refuses has an error or a warning here, but for what docs/reference/format.md lists."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from front import checked, pytorch_yaml
from opgen.diagnostics import Severity
from parts import parts

PARTS = 4
FILES_OF_A_PART = 1000
NAMES = ("p", "q", "p_", "q_", "new_p", "p_like", "p_backward", "_foreach_p", "p_functional")
OVERLOADS = ("", "", ".a", ".x_y")
KEYS = ("CPU", "CPU, CUDA", "CompositeExplicitAutograd", "CompositeImplicitAutograd", "Meta", "SparseCPU")
KERNELS = ("p", "k", "q_out", "k_symint")
ARGUMENTS = ("x", "n", "other", "from", "out0", "type", "dim", "name", "generator")
ALIASED = ("Tensor(a)", "Tensor(a!)", "Tensor(b!)", "Tensor(a)[]", "Tensor(a!)?", "Tensor(a -> *)")
TYPES = (*("Tensor", "Tensor?", "Tensor[]", "int", "int?", "int[2]", "SymInt[]", "Generator?"), *ALIASED)
RESULTS = (
    *(
        "Tensor",
        "(Tensor, Tensor)",
        "(Tensor x, Tensor y)",
        "Tensor[]",
        "int",
        "()",
        "Tensor(a)",
        "Tensor(a!)",
    ),
    *("(Tensor(a), Tensor)", "Tensor?", "Tensor(a)[]"),
)
FIELDS = (
    *(
        "tags: core",
        "tags: view_copy",
        "tags: inplace_view",
        "tags: nondeterministic_seeded",
        "autogen: p.out",
    ),
    *("autogen: q.a_out", "autogen: p, p.out", "structured: True", "structured_delegate: p.out"),
    *("cpp_no_default_args: ['n']", "manual_cpp_binding: True", "manual_kernel_registration: True"),
    *("device_check: NoCheck", "python_module: nn", "use_const_ref_for_mutable_tensors: True"),
    *("category_override: factory", "device_guard: False", "structured_inherits: TensorIteratorBase"),
)
WARNED = {"OPG703", "OPG704", "OPG812"}
# What format.md lists.
ACCEPTED = (
    "is a reserved Python keyword",
    "that we could not generate an out= variant for",
    "appears to be a new operator that aliases its inputs",
    "Factory functions should not have implicit dispatch",
)


def entry(chance: random.Random) -> str:
    name, overload = chance.choice(NAMES), chance.choice(OVERLOADS)
    arguments = [
        f"{chance.choice(TYPES)} {n}" for n in chance.sample(ARGUMENTS, chance.choice((0, 1, 1, 2, 3)))
    ]
    result = chance.choice(RESULTS)
    if name.endswith("_"):
        arguments, result = ["Tensor(a!) self", *arguments], "Tensor(a!)"
    elif chance.random() < 0.8:
        arguments = ["Tensor self", *arguments]
    if chance.random() < 0.2 and not name.endswith("_"):
        arguments, result, overload = (
            [*arguments, "*", "Tensor(a!) out"],
            "Tensor(a!)",
            f"{overload or '.'}out",
        )
    lines = [f"- func: {name}{overload}({', '.join(arguments)}) -> {result}"]
    if chance.random() < 0.4:
        lines.append(f"  variants: {chance.choice(('function', 'method', 'function, method'))}")
    if chance.random() < 0.7:
        lines += ["  dispatch:", f"    {chance.choice(KEYS)}: {chance.choice(KERNELS)}"]
    lines += [f"  {field}" for field in chance.sample(FIELDS, chance.choice((0, 0, 1, 2)))]
    return "\n".join([*lines, ""])


def refused(text: str, file: Path, tags: Path) -> str | None:
    """Returns what torchgen says of a file that it refuses."""
    from torchgen import gen

    file.write_text(text)
    gen._GLOBAL_PARSE_NATIVE_YAML_CACHE.clear()
    try:
        functions = gen.parse_native_yaml(str(file), str(tags)).native_functions
        gen.get_grouped_native_functions(functions)
        gen.get_grouped_by_view_native_functions(functions)
    except (AssertionError, RuntimeError, ValueError, KeyError, TypeError, NotImplementedError) as error:
        return re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")
    return None


@pytest.mark.parametrize("part", parts(PARTS, short=0, all_runs=PARTS))
def test_random_declarations(tmp_path, part):
    tags = pytorch_yaml().parent / "tags.yaml"
    silent = {}
    for i in range(FILES_OF_A_PART):
        chance = random.Random(f"{part} {i}")
        text = "".join(entry(chance) for _ in range(chance.choice((1, 1, 2, 3))))
        found = checked(text)[1]
        if any(d.severity is Severity.error or d.code in WARNED for d in found):
            continue
        theirs = refused(text, tmp_path / "f.yaml", tags)
        if theirs is not None and not any(known in theirs for known in ACCEPTED):
            silent[theirs] = text
    assert not silent, "\n".join(f"{theirs}\n{text}" for theirs, text in silent.items())
