"""Computed dispatch tables against those of PyTorch's dispatcher."""

import gzip
import json

import opgen
import pytest
from front import shared
from opgen import commands, pipeline
from opgen.explain import table
from opgen.model import LIBRARY_KEYS, RUNTIME_KEYS, DispatchKey, Program, alias_set
from opgen.model import dispatch_table as rules


@pytest.fixture(scope="module")
def cases():
    return json.loads(gzip.decompress(shared("oracle", "dispatch_cases.json.gz").read_bytes()))


def test_keys_and_alias_sets(cases):
    ours = [k.value for k in RUNTIME_KEYS if k.value in cases["runtime_keys"]]
    assert ours == cases["runtime_keys"]
    for alias, members in cases["alias_sets"].items():
        assert {k.value for k in alias_set(DispatchKey[alias])} == set(members)
    assert cases["fallbacks"].keys() == rules.FALLTHROUGHS | rules.FALLBACK_KERNELS


def kernel_of(row: table.Row | None) -> list[str] | None:
    return None if row is None else [row.kernel, row.why.value]


@pytest.mark.parametrize(("part", "entries"), [("python_dispatcher", 768 * 8), ("extended", 200 * 129)])
def test_tables(cases, part, entries):
    """Checks every case and key: sets of PythonDispatcher's keys, and of any keys."""
    keys = cases["python_dispatcher_runtime_keys"] if part == "python_dispatcher" else cases["runtime_keys"]
    program = Program("FILE", ())
    assert len(cases[part]) * len(keys) == entries
    for case in cases[part]:
        found = table.of("foo", None, program, table.keys(case["register"]))
        rows = {row.key.value: row for row in found.rows}
        for key in keys:
            assert kernel_of(rows.get(key)) == case["table"].get(key), (case["register"], key)


def test_order_of_registrations_does_not_matter(cases):
    for case in cases["extended"][:40]:
        here, there = (rules.compute(table.keys(keys)) for keys in (case["register"], case["register"][::-1]))
        assert here == there


@pytest.fixture
def functions(tmp_path):
    """A file with one kernel for each kind of place that a row can show."""
    path = tmp_path / "native_functions.yaml"
    path.write_text(
        "- func: twice(Tensor self) -> Tensor\n"
        "  dispatch:\n"
        "    CPU, SparseCPU: twice_cpu\n"
        "    CompositeImplicitAutograd: mine::twice_any\n"
    )
    return path


def test_rows_name_kernel_rule_and_place(functions):
    found = opgen.dispatch_table("twice", functions)
    row = found.get("SparseCPU")
    assert (row.kernel, row.why.value) == ("at::native::twice_cpu", "kernel")
    assert (row.span.path, row.span.line, row.span.column) == (str(functions), 3, 10)
    row = found.get("CUDA")
    assert (row.kernel, row.why.value, row.span.line) == ("mine::native::twice_any", "math kernel", 4)
    row = found.get("AutogradCPU")
    assert (row.kernel, row.why.value, row.span) == ("fallback", "backend fallback", None)
    assert found.get("Fake") is None


def test_registered_besides_the_file_and_in_its_place(functions):
    more = opgen.dispatch_table("twice", functions, register=["Autograd"])
    assert (more.get("AutogradCPU").kernel, more.get("CPU").kernel) == (
        "fn_Autograd",
        "at::native::twice_cpu",
    )
    alone = opgen.dispatch_table("twice", functions, register=["Autograd"], only=True)
    assert alone.get("CPU") is None
    assert opgen.dispatch_table("nobody", functions, register=["CPU"]).get("CPU").kernel == "fn_CPU"


def test_what_cannot_be_looked_up_raises(functions):
    with pytest.raises(LookupError, match="did you mean 'twice'"):
        opgen.dispatch_table("twise", functions)
    with pytest.raises(ValueError, match="no dispatch key 'Cpu'; did you mean 'CPU'"):
        opgen.dispatch_table("twice", functions, register=["Cpu"])
    functions.write_text("- func: twice(\n")
    with pytest.raises(pipeline.Invalid):
        opgen.dispatch_table("twice", functions)


# The cases that ATen's README warns of, with the words of our notes.
NOTES = [
    (
        "CompositeImplicitAutograd CompositeExplicitAutograd",
        "the kernel of CompositeImplicitAutograd never runs: it is hidden by CompositeExplicitAutograd",
    ),
    (
        "CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional",
        "CompositeExplicitAutograd is hidden by CompositeExplicitAutogradNonFunctional:"
        " it runs at 22 of its 70 keys only",
    ),
    (
        "CompositeImplicitAutograd Autograd",
        "the kernel of Autograd never runs: it is hidden by CompositeImplicitAutograd",
    ),
    (
        "CompositeImplicitAutograd CPU QuantizedCPU SparseCPU",
        "AutogradOther is ambiguous: QuantizedCPU, SparseCPU has a kernel",
    ),
    ("CPU CUDA", "backends without a kernel: HIP, XLA, MPS"),
    ("Autograd", "no backend has a kernel"),
]


@pytest.mark.parametrize(("keys", "note"), NOTES)
def test_notes(keys, note):
    notes = opgen.dispatch_table("foo", register=keys.split()).notes
    assert any(found.startswith(note) for found in notes), notes


def test_no_note_where_nothing_is_wrong():
    """A kernel for every backend, with a backend's own in front of it, gives no note: this is normal."""
    assert (
        opgen.dispatch_table("foo", register=["CompositeImplicitAutograd", "CPU", "AutogradCPU"]).notes == ()
    )


def test_command_prints_the_notes(functions, capsys):
    assert commands.run(["dispatch", "twice", str(functions)]) == 0
    assert "\nnote: AutogradOther is ambiguous: SparseCPU" in capsys.readouterr().out
    assert commands.run(["dispatch", "twice", str(functions), "--format", "json"]) == 0
    printed, notes = capsys.readouterr()
    assert json.loads(printed).keys() == {"op", "table"}
    assert notes.startswith("note: AutogradOther is ambiguous")


def printed_keys(capsys, *arguments: str) -> set[str]:
    assert commands.run(["dispatch", *arguments]) == 0
    rows = [row for row in capsys.readouterr().out.splitlines() if row.startswith(" " * 6)]
    return {key for row in rows for key in row.replace(",", "").split()}


def test_the_text_has_the_librarys_keys_and_those_with_kernels(functions, capsys):
    """With --all it has all, with --key those; JSON has all."""
    whole = {row.key.value for row in opgen.dispatch_table("twice", functions).rows}
    library = {key.value for key in LIBRARY_KEYS}
    shown = printed_keys(capsys, "twice", str(functions))
    assert shown == library | {"SparseCPU", "AutogradOther"} and "XLA" in whole
    assert printed_keys(capsys, "twice", str(functions), "--all") == whole
    assert printed_keys(capsys, "twice", str(functions), "--key", "XLA, CPU,Fake") == {"XLA", "CPU"}
    assert commands.run(["dispatch", "twice", str(functions), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["table"].keys() == whole


def test_how_many_keys_were_left_out(functions, capsys):
    found = opgen.dispatch_table("twice", functions)
    left_out = len(found.rows) - len(found.of_library().rows)
    commands.run(["dispatch", "twice", str(functions)])
    assert f"note: the library has no tensors of {left_out} more keys" in capsys.readouterr().out
    commands.run(["dispatch", "twice", str(functions), "--all"])
    assert " more keys" not in capsys.readouterr().out


@pytest.mark.parametrize("keys", [(), ("--key", "CPU"), ("--all",)])
def test_backends_that_are_not_shown_are_in_no_note(tmp_path, capsys, keys):
    file = tmp_path / "native_functions.yaml"
    file.write_text("- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU, CUDA, Meta: f\n")
    assert commands.run(["dispatch", "f", str(file), *keys]) == 0
    noted = next((r for r in capsys.readouterr().out.splitlines() if "backends without" in r), "")
    assert ("XLA" in noted) == ("--all" in keys)
    assert ("PrivateUse1" in noted) == ("--key" not in keys)
