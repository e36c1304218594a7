"""CUDA C++ to C++ for a host compiler: python translate.py IN OUT [NAME]

Rewrites the two constructs that aren't C++: launches (`kernel<<<...>>>(...)`) and variables in shared memory.
Lines keep their numbers; NAME is the file's name in reports.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

UNROLL = re.compile(r"^#pragma unroll$", re.MULTILINE)
SHARED = re.compile(r"\b(extern )?__shared__\s+([^;]*);")
DECLARATOR = re.compile(r"(?P<type>.+?)\s+(?P<name>\w+)(?P<extents>(?:\[[^\[\]]*\])*)", re.DOTALL)
MOST_ROUNDS = 32
CLOSING = {"(": ")", "[": "]", "{": "}"}


def translated(text: str) -> str:
    """With loops unrolled that say so: their rounds are instructions of their own, as they are on a GPU."""
    return launches(SHARED.sub(shared_variables, UNROLL.sub(f"#pragma GCC unroll {MOST_ROUNDS}", text)))


def shared_variables(found: re.Match[str]) -> str:
    """The declaration of one or several variables, as references into the block's memory."""
    declaration, alignment = found[2], ""
    if aligned := re.match(r"alignas\(([^()]*)\)\s*", declaration):
        declaration, alignment = declaration[aligned.end() :], f", {aligned[1]}"
    first, *others = split(declaration)
    one = DECLARATOR.fullmatch(first)
    if one is None:
        raise ValueError(f"a declaration in shared memory that is not understood: {found[0]}")
    if found[1]:
        return f"{one['type']}* const {one['name']} = ::emulator::dynamic_shared<{one['type']}>();"
    result = []
    for text in (first, *(f"{one['type']} {other}" for other in others)):
        each = DECLARATOR.fullmatch(text)
        assert each is not None, text
        kind = each["type"] + each["extents"]
        result.append(f"auto& {each['name']} = ::emulator::shared_variable<{kind}{alignment}>([] {{}});")
    return " ".join(result)


def split(declaration: str) -> list[str]:
    """By the commas outside of brackets."""
    parts, depth = [""], 0
    for c in declaration:
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def launches(text: str) -> str:
    while (opening := text.find("<<<")) >= 0:
        begin, end = kernel_before(text, opening)
        closing = text.index(">>>", opening)
        bracket = closing + 3 + len(text[closing + 3 :]) - len(text[closing + 3 :].lstrip())
        after = behind(text, bracket)
        name = " ".join(text[begin:end].split())
        arguments = text[bracket + 1 : after - 1]
        # Values that a generic lambda was given as constants.
        words = re.findall(r"\w+", name)
        capture = "&" * any(re.search(rf"\bauto {word}\b", text[:begin]) for word in words)
        call = (
            f'::emulator::launch({{"{name}", {{__FILE__, __LINE__}}}}, '
            f"::emulator::configuration({text[opening + 3 : closing]}), "
            f"[{capture}](const auto&... emulator_arguments) {{ {name}(emulator_arguments...); }}"
            f"{', ' + arguments if arguments.strip() else ''})"
        )
        lines = text.count("\n", begin, after) - call.count("\n")
        text = text[:begin] + call + "\n" * lines + text[after:]
    return text


def kernel_before(text: str, end: int) -> tuple[int, int]:
    """Where the kernel's name, with its template arguments, begins and ends."""
    end = len(text[:end].rstrip())
    begin = end
    if text[begin - 1] == ">":
        depth = 0
        while True:
            begin -= 1
            depth += (text[begin] == ">") - (text[begin] == "<")
            if depth == 0:
                break
    while re.match(r"[\w:]", text[begin - 1]):
        begin -= 1
    return begin, end


def behind(text: str, opening: int) -> int:
    """The place behind the bracket that closes the one at `opening`."""
    expected: list[str] = []
    for at in range(opening, len(text)):
        if text[at] in CLOSING:
            expected.append(CLOSING[text[at]])
        elif expected and text[at] == expected[-1]:
            expected.pop()
            if not expected:
                return at + 1
    raise ValueError(f"a bracket is not closed: {text[opening : opening + 60]}")


def write(text: str, target: Path, name: str) -> None:
    """A source or header, which reports call NAME, translated."""
    write_if_changed(f'#line 1 "{name}"\n{translated(text)}', target)


def write_if_changed(text: str, target: Path) -> None:
    """Replaces the file at once: others may be reading it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.read_text() != text:  # else what has it needn't be compiled
        new = target.with_name(f"{target.name}.{os.getpid()}")
        new.write_text(text)
        new.replace(target)


def main() -> None:
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    write(source.read_text(), target, sys.argv[3] if len(sys.argv) > 3 else str(source))


if __name__ == "__main__":
    main()
