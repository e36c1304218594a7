"""Payloads in every field and option: the short form of `make inject`, which must notice a payload that
escapes.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import inject
import inject_places
import pytest
from inject_places import ANY, CANARY, KEY, PAYLOADS
from opgen.config import BREAKING_KEYS, BUILD_KEYS, KEYS
from opgen.parse import derivatives
from opgen.parse.fields import EXECUTORCH_FIELDS, FIELDS

SEED = 20


def test_placements() -> None:
    """A hundred; `make inject` makes thousands."""
    assert inject.batch(SEED, 0, 100) == []


def test_every_field_is_a_place() -> None:
    files = inject_places.of_files()
    fields = {path[1] for path in files["native_functions"] if len(path) > 1}
    assert fields == {f.name for f in (*FIELDS, *EXECUTORCH_FIELDS)} | {KEY}
    assert {path[1] for path in files["tags"]} == {"tag", "desc", KEY}
    trusted = {"output_differentiability"}
    assert {path[1] for path in files["derivatives"]} == {*derivatives.FIELDS, KEY} - trusted
    assert (0, "dispatch", ANY, ANY) not in files["derivatives"]  # a formula
    assert {path[0] for path in files["opgen"]} == {*KEYS, KEY}
    for table, keys in (("build", BUILD_KEYS), ("breaking", BREAKING_KEYS)):
        assert {path[1] for path in files["opgen"] if path[0] == table} == {*keys, KEY}
    assert {"--name", "--extend", "--ops", "--kernels", "--out"} <= set(inject_places.of_options())


def test_every_payload_comes_to_every_file() -> None:
    assert not any(payload.startswith("/") for payload in PAYLOADS)  # the option --out writes there
    made = [inject.Placement(SEED, index) for index in range(9000)]
    assert {m.file for m in made} == {*inject.FILES, "opgen", "--"}
    for payload in PAYLOADS:
        files = {m.file for m in made if m.text.endswith(repr(payload))}
        assert files >= {"native_functions", "derivatives", "opgen", "--"}, payload
    assert all(CANARY in json.dumps([m.data, m.arguments]) for m in made)


def test_a_project_without_payload_is_generated(tmp_path: Path) -> None:
    for index in range(200):
        placement = inject.Placement(SEED, index)
        if placement.file in ("native_functions", "opgen"):
            placement.data = dict(inject.given())
            code, said, trees = inject.generate(placement, tmp_path / placement.file / str(index))
            assert code == 0 and len(trees) == 1 and inject.faults_of(trees[0]) == [], said
            if index > 20:
                return


def test_schemas_have_their_parts_replaced() -> None:
    schema = 'f.x(Tensor(a!) self, str mode="mean") -> Tensor(a!)'
    parts = {schema[start:end] for start, end in inject_places.ranges(schema)}
    assert {"f", "x", "self", "mode", '"mean"', "str"} <= parts
    mixed = {inject_places.mixed(schema, "PAYLOAD", random.Random(i)) for i in range(300)}
    assert 'f.x(Tensor(a!) self, str mode="PAYLOAD") -> Tensor(a!)' in mixed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.h", f'f("");{CANARY}();'),
        ("x.cpp", f"// a \\\n{CANARY}"),
        ("x.py", f"{CANARY}()"),
        ("x.pyi", f"import {CANARY}"),
        ("x.py", f'f("{CANARY}'),
        ("x.json", f'{{"{CANARY}": }}'),
        ("x.cmake", f"message({CANARY})"),
        ("x.txt", f"set(x ${{{CANARY}}})"),
        (f"{CANARY}.h", ""),
        ("x.sh", CANARY),
    ],
)
def test_what_gets_out_is_noticed(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert len(inject.faults_of(tmp_path)) == 1


def test_what_stays_in_literals_is_not(tmp_path: Path) -> None:
    for name in ("x.h", "x.cpp"):
        (tmp_path / name).write_text(f'f("a\\"{CANARY}", 1); // {CANARY}\n')
    for name in ("x.py", "x.pyi", "x.cmake", "x.txt"):
        (tmp_path / name).write_text(f'f("{CANARY}")  # {CANARY}\n')
    (tmp_path / "x.json").write_text(f'{{"{CANARY}": 1}}')
    assert inject.faults_of(tmp_path) == []


@pytest.mark.slow
def test_the_compiler_notices_the_canary(tmp_path: Path) -> None:
    compiler = inject.compiler()
    if compiler is None:
        pytest.skip("needs a C++ compiler and generated/aten")
    folder = tmp_path / "include" / "golden"
    folder.mkdir(parents=True)
    (tmp_path / "src").mkdir()
    (folder / "x.h").write_text(f'inline const char* f() {{ return "{CANARY}"; }}\n')
    assert compiler.faults(tmp_path) == []
    (folder / "x.h").write_text(f"inline int {CANARY};\n")
    assert "doesn't compile" in compiler.faults(tmp_path)[0]
