"""Derivatives: each fault of a file is reported once, at its place, with a helpful message."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from derivatives_examples import FUNCTIONS, IN_PLACE, KERNELS, OPTIONS, PLAIN, F, G, entry, faults
from front import checked, pytorch_yaml
from opgen import pipeline
from opgen.api.autograd import Autograd
from opgen.check.derivatives import complete as derivatives_complete
from opgen.check.derivatives.subject import variables
from opgen.commands.group import cli
from opgen.diagnostics import Report
from opgen.parse import derivatives, source, yaml_source
from opgen.parse.derivatives.rules import two_files
from opgen.parse.derivatives.text import TokenKind, lambdas, tokens


def test_a_fault_of_the_schema_is_one_of_the_grammar():
    found = faults("- name: f(Tensr self) -> Tensor\n  self: grad\n")
    assert [d.code[:4] for d in found] == ["OPG1"]
    assert found[0].span[1:] == (1, 11, 1, 16)


def test_all_faults_in_one_run():
    """All faults of all entries, and of all formulas of an entry, are reported in one run."""
    text = entry(F, "self: grad * slef", "other: grad * ohter") + entry(PLAIN, "self: grads[7]")
    assert [d.code for d in faults(text)] == ["OPG960", "OPG960", "OPG950"]


HELP = {
    "ohter": ("self: grad * ohter", "did you mean 'other'?"),
    "results": ("self: grad * result1", "the results are result"),
    "overload": ("output_differentiabilty: '[True]'", "did you mean 'output_differentiability'?"),
}


@pytest.mark.parametrize("case", HELP)
def test_help(case):
    formula, help = HELP[case]
    assert [d.help for d in faults(entry(F, formula))] == [help]


def test_overloads_are_named():
    functions = f"- func: {F}\n{KERNELS}- func: f.Scalar(Tensor self, Scalar other) -> Tensor\n{KERNELS}"
    found = faults(entry("f.Vector(Tensor self) -> Tensor", "self: grad"), functions)
    assert [d.help for d in found] == ["its overloads are: f, f.Scalar"]


LEGAL = {
    "lambda": entry(F, "self: fmap(grad, [](c10::SymInt i){return -i;})"),
    "named gradients": entry(G, "self: grad_a + grad_b", "rest: g_backward(grad_index, rest)"),
    "lambda that begins a formula": entry(F, 'self: "[&](Tensor t){ return t; }(grad)"'),
    "comment inside": entry(F, "self: f_backward(grad, /* other= */ other)"),
    "constants": entry(F, 'self: "grad * M_PI * (true ? 1. : 1e-5) * at::kLong"'),
    "template": entry(F, "self: f_backward(grad, std::vector<Tensor>{self, other})"),
    "members": entry(F, "self: grad.flatten().back().foo->bar"),
    "brackets": entry(F, "self: grad.expand_symint({ self.sym_size(0), grad[0][1] })"),
    "string with anything": entry(F, "self: 'not_implemented(\"f: {;//#\")'"),
    "condition": entry(F, 'output_differentiability: ["!mode || isDifferentiableType(*mode)"]', "self: grad"),
    "nothing": entry(F),
    "non differentiable": entry(F, "self: non_differentiable", "n: non_differentiable"),
    "list": entry(G, "rest: g_backward(grads)", "output_differentiability: [True, False, False]"),
    "forward of a list": entry(
        G, "rest: g_backward(grads)", "a: g_jvp(rest_t)", "b: g(rest_t)", "index: g(rest_t)"
    ),
    "named": entry(G, "self: grad_a + grad_b", "a, b, index: g_jvp(self_t, self_p, a)"),
    "original": entry(IN_PLACE, "self: grad * self", "result: self_t * original_self_p * result"),
    "options": entry(OPTIONS, "self: grad.to(self.options())", "result: self_t.to(dtype, layout, device)"),
    "for a backend only": entry(
        F, "dispatch:", "  Default:", "    self: grad", "  AutogradCUDA:", "    self: grad"
    ),
    "string?": entry(F, "self: f_backward(grad, mode, n)"),
}


@pytest.mark.parametrize("case", LEGAL)
def test_legal(case):
    assert not faults(LEGAL[case])


def test_a_composite_form_that_would_inherit_is_reported():
    """The in-place form is an implicit composite: a formula would replace its derivative."""
    functions = "- func: f(Tensor self) -> Tensor\n" + KERNELS + "- func: f_(Tensor(a!) self) -> Tensor(a!)\n"
    found = faults(entry("f(Tensor self) -> Tensor", "self: grad"), functions)
    assert [(d.code, d.span[1:3]) for d in found] == [("OPG934", (1, 9))]
    assert "'f_'" in found[0].message


def test_faults_of_the_functions_file_bring_no_others():
    functions = "- func: f(Tensr self) -> Tensor\n" + KERNELS
    assert not faults(entry("f(Tensor self) -> Tensor", "self: grad"), functions)


def test_hostile_files():
    """Every file gives a program or faults, quickly."""
    start = time.process_time()
    texts = [
        entry(F, "self: " + "(" * 20_000),
        entry(F, "self: " + "[" * 8_000 + "]" * 8_000),
        entry(F, "self: '" + "x " * 8_000 + "'"),
        entry(F, "'" + "self, " * 5_000 + "': grad"),
        entry(F, "self: grad \u00e9\u4e16"),
        "- name: " + "f(" * 30_000 + "\n",
        "- name:\n",
        "- {}\n- []\n- x\n",
        "name: x\n",
        "",
    ]
    for text in texts:
        checked(two_files(FUNCTIONS, text))
    assert time.process_time() - start < 5


def test_no_silent_hole_in_pytorch_file(tmp_path):
    """With one variable of every entry misspelt, each is reported, at its column, and nothing else is."""
    path = pytorch_yaml().parents[2] / "autograd/derivatives.yaml"
    report = Report()
    read = source.read(str(path), report)
    entries, _ = derivatives.read(yaml_source.items(read, report), report)
    lines, wanted = read.lines(), set()
    for one in entries:
        for formula in (f for some in one.formulas.values() for f in some if not f.is_non_differentiable):
            found = tokens(formula.text)
            local = {found[j].start for a, b in lambdas(found) for j in range(a, b + 1)}
            token = next(
                (t for t in variables(formula) if t.start not in local and not t.text.startswith("k")), None
            )
            if token is None or token.text.isupper():
                continue
            span = one.places.inside(token.start, token.end, *formula.path)
            row = lines[span.line - 1]
            lines[span.line - 1] = row[: span.end_column - 1] + "zq" + row[span.end_column - 1 :]
            wanted.add((span.line, span.column))
            break
    file = tmp_path / "derivatives.yaml"
    file.write_text("\n".join(lines), encoding="utf-8")
    _, report = pipeline.load(pytorch_yaml(), derivatives_file=file)
    found = {d.span[1:3] for d in report.diagnostics if d.span.path == str(file)}
    print(f"\n{len(wanted)} misspelt, {len(wanted - found)} missed, {len(found - wanted)} besides")
    assert len(wanted) > 500
    assert found == wanted


def run(*arguments: str | Path):
    return CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / "native_functions.yaml").write_text(f"- func: {F}\n{KERNELS}")
    (tmp_path / "derivatives.yaml").write_text(entry(F, "self: grad * ohter"))
    return tmp_path


def test_validate_takes_the_file_beside(project):
    result = run("validate", project, "--format", "json")
    assert result.return_value == 1
    found = json.loads(result.output)["diagnostics"]
    assert [(d["code"], Path(d["path"]).name, d["line"], d["column"]) for d in found] == [
        ("OPG960", "derivatives.yaml", 2, 16)
    ]


def test_validate_takes_the_file_that_is_named(project):
    other = project / "other.yaml"
    other.write_text(entry(F, "self: grad * other", "other: grad"))
    result = run("validate", project, "--derivatives", other)
    assert result.return_value == 0
    assert "1 entry for 1 operator" in result.output


def test_explain_shows_the_formulas(project):
    """Formulas are shown with their places, for the form that has them and for the one that inherits them."""
    in_place = F.replace("f(Tensor self", "f_(Tensor(a!) self").replace("-> Tensor", "-> Tensor(a!)")
    (project / "native_functions.yaml").write_text(f"- func: {F}\n{KERNELS}- func: {in_place}\n{KERNELS}")
    (project / "derivatives.yaml").write_text(entry(F, "self: grad * other", "result: self_t * other"))
    file = project / "derivatives.yaml"
    own = f"""  derivative
    self: grad * other
      {file}:2
    result: self_t * other
      {file}:3
"""
    assert own in run("explain", "f", project).output
    taken = f"  derivative\n    by the entry of its functional form, 'f', {file}:1\n    self: grad * other\n"
    assert taken in run("explain", "f_", project).output


def test_a_file_that_is_not_there(project):
    with pytest.raises(pipeline.InputError):
        pipeline.load(project, derivatives_file=project / "none.yaml")


def test_an_ignored_fault(project):
    file = project / "derivatives.yaml"
    file.write_text(file.read_text().rstrip() + "  # opgen: ignore[OPG960] a name of the backend's own\n")
    program, report = pipeline.load(project)
    assert not report.diagnostics
    assert len(program.derivatives.of) == 1


def test_completeness_is_asked_for():
    text = two_files(FUNCTIONS, entry(F, "self: grad"))
    assert not checked(text)[1]
    levels = {rule.code: rule.severity for rule in (derivatives_complete.NO_FORMULA,)}
    assert {d.message.split("'")[1] for d in checked(text, levels)[1]} == {"g", "h_", "k", "m"}


def test_a_namespace_of_its_own():
    """Formulas of operators in another namespace are found, and so is the call that auto_linear makes."""
    schema = "mine::f(Tensor self) -> Tensor"
    program, found = checked(
        two_files(f"- func: {schema}\n{KERNELS}", entry(schema, "self: grad", "result: auto_linear"))
    )
    assert not found
    info = Autograd(program).of(program.functions[0])["Default"]
    assert [f.formula for f in info.forward] == ["mine::f(self_t)"]


def test_gradients_by_the_names_of_results():
    """All results with names have named gradients, unless the entry says which are differentiable."""
    for line, names in (
        ((), ("grad_a", "grad_b", "grad_index")),
        (("[True, False, True]",), ("grad_a", "grad_index")),
    ):
        said = [f"output_differentiability: {flags}" for flags in line]
        program, found = checked(
            two_files(f"- func: {G}\n{KERNELS}", entry(G, *said, "self: grad_a + grad_index"))
        )
        assert not found
        assert Autograd(program).of(program.functions[0])["Default"].named_gradients == names


# The forward formula of p(self, n) -> the statement that p_ applies to the tangent of `self`.
IN_PLACE_TANGENTS = {
    "self_t.p(n)": "self_t_raw.p_(n)",
    "self_t.q(n)": "self_t_raw.copy_(self_t.q(n))",
    "self_t.p(n) + self_t.q(n)": "self_t_raw.copy_(self_t.p(n) + self_t.q(n))",
    "auto_linear": "self_t_raw.copy_(at::p(self_t, n))",
}


@pytest.mark.parametrize("formula", IN_PLACE_TANGENTS)
def test_a_tangent_is_changed_in_place_where_the_formula_is_the_operator_itself(formula):
    schema, written = "p(Tensor self, int n) -> Tensor", "p_(Tensor(a!) self, int n) -> Tensor(a!)"
    functions = "".join(f"- func: {one}\n{KERNELS}" for one in (schema, written))
    program, _ = checked(two_files(functions, entry(schema, "self: grad", f"result: {formula}")))
    (forward,) = Autograd(program).of(program.functions[1])["Default"].forward
    assert forward.formula.startswith("self_t_raw.defined() ? ")
    assert forward.formula.split(" ? ")[1].partition(" : ")[0] == IN_PLACE_TANGENTS[formula]


def test_every_character_is_in_a_token():
    """Every character is in a token, except white space and comments; a lone quote is a token, too."""
    text = 'a->b::c(1.5e-3, 0x1F, 1\'000) /* x */ "q\\"" \'c\' <=> @ "open'
    found = tokens(text)
    rest = list(text.replace("/* x */", " " * 7))
    for token in found:
        assert text[token.start : token.end] == token.text
        rest[token.start : token.end] = " " * len(token.text)
    assert not "".join(rest).strip()
    assert [t.text for t in found if t.kind is TokenKind.unknown] == ["@", '"']


SINGLE = """\
- name: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  self, other: grad
- name: add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor
  self: grad
- name: mul(Tensor self, Tensor other, Scalar by) -> Tensor
  self, other: grad
- name: neg_(Tensor(a!) self) -> Tensor(a!)
  self: grad
- name: zero_(Tensor(a!) self) -> Tensor(a!)
  self: zeros_like(grad)
- name: only(Tensor self) -> Tensor
  dispatch:
    AutogradCPU:
      self: grad
"""
# Operator on lists -> the operator whose formulas it uses.
LISTS = {
    "_foreach_add.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]": "add.Tensor",
    "_foreach_add.One(Tensor[] self, Tensor other, *, Scalar alpha=1) -> Tensor[]": "add.Tensor",
    "_foreach_add.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]": "add.Scalar",
    "_foreach_add.Text(Tensor[] self, str other, *, Scalar alpha=1) -> Tensor[]": None,
    "_foreach_mul.Less(Tensor[] self, Tensor[] other) -> Tensor[]": None,
    "_foreach_neg_(Tensor(a!)[] self) -> ()": None,
    "_foreach_zero_(Tensor(a!)[] self) -> ()": "zero_",
    "_foreach_only(Tensor[] self) -> Tensor[]": None,
    "_foreach_other(Tensor[] self) -> Tensor[]": None,
}


@pytest.mark.parametrize("each", LISTS)
def test_operators_of_lists_are_differentiated_as_what_they_do_to_each_tensor(each):
    single = [line.removeprefix("- name: ") for line in SINGLE.splitlines() if line.startswith("- name")]
    functions = "".join(f"- func: {schema}\n{KERNELS}" for schema in [*single, each])
    program, found = checked(two_files(functions, SINGLE))
    assert not [d for d in found if d.span.path == "DERIVATIVES" and d.code != "OPG936"]
    derivation = program.derivatives.of.get(each.partition("(")[0])
    assert (derivation and str(derivation.written.name)) == LISTS[each]
