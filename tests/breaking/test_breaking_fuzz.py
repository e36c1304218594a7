"""Random changes: nothing fails, whatever the two versions contain, and every change of a schema is found."""

from __future__ import annotations

import random
import re
import time

import fuzz_schemas
import fuzz_yaml
import pytest
from changes import findings

SCHEMAS = 150  # for each of the seeds
FILES = 100
UNREAD = {"baseline-unparseable", "entry-unparseable"}
ANNOTATION = re.compile(r"\([a-z*|]+!?(?: -> [a-z*|]+)?\)")


def schema(chance: random.Random) -> str:
    return re.sub(r"^[^(]*", "f", fuzz_schemas.schema(chance), count=1)


def edited(chance: random.Random, text: str) -> str:
    """Returns the schema with one argument removed, added, replaced or moved, or with other results."""
    inside, returns = re.fullmatch(r"f\((.*)\) -> (.*)", text, re.DOTALL).groups()
    arguments = inside.split(", ") if inside else []
    edit = chance.choice(("drop", "add", "swap", "replace", "returns"))
    if edit == "add":
        new = fuzz_schemas._argument(chance, "new", chance.random() < 0.5)
        arguments.insert(chance.randint(0, len(arguments)), new)
    elif edit == "returns" or len(arguments) < 2:
        returns = fuzz_schemas._type(chance)
    elif edit == "drop":
        arguments.pop(chance.randrange(len(arguments)))
    elif edit == "swap":
        i, j = chance.sample(range(len(arguments)), 2)
        arguments[i], arguments[j] = arguments[j], arguments[i]
    else:
        i = chance.randrange(len(arguments))
        name = arguments[i].partition("=")[0].rpartition(" ")[2]
        arguments[i] = fuzz_schemas._argument(chance, name, chance.random() < 0.5)
    return f"f({', '.join(arguments)}) -> {returns}"


def file_of_line(arguments: str) -> str:
    return f"- func: f({arguments}) -> Tensor\n"


def file_of(text: str) -> str:
    return f"- func: >-\n    {text}\n"


@pytest.mark.parametrize("seed", range(4))
def test_schemas(seed):
    """Schemas without findings differ in annotations only, which mean nothing where no result has them."""
    chance = random.Random(seed)
    for _ in range(SCHEMAS):
        old = schema(chance)
        new = edited(chance, old) if chance.random() < 0.5 else schema(chance)
        for before, after in ((old, new), (new, old)):
            found = findings(file_of(before), file_of(after))
            assert len({f.fingerprint for f in found}) == len(found), (before, after)
            if not found:
                assert ANNOTATION.sub("", before) == ANNOTATION.sub("", after)
            for shown in (s for f in found for s in (f.before, f.after)):
                assert all(0 <= start < end <= len(shown.text) for start, end in shown.marks)


@pytest.mark.parametrize("seed", range(4))
def test_files(seed):
    """Compares entries of this repository with copies whose characters, lines and fields are damaged."""
    chance = random.Random(seed)
    entries = fuzz_yaml.entries()
    for _ in range(FILES):
        before = "".join(chance.choices(entries, k=3))
        after = fuzz_yaml._mutated(chance, before).decode("utf-8", "replace")
        for old, new in ((before, after), (after, before)):
            assert all(f.fingerprint for f in findings(old, new))
        assert {f.rule.name for f in findings(after, after)} <= UNREAD


def test_thousands_of_arguments_that_all_changed_take_no_time():
    before = ", ".join(f"int a{i}=0" for i in range(2000))
    started = time.process_time()
    assert len(findings(file_of_line(before), file_of_line(before.replace("a", "b")))) == 2000
    assert time.process_time() - started < 5
