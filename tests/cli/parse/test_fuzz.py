"""20,000 random schemas and 5,000 random files; and inputs that fuzzers of PyTorch's own reader have
reported.
"""

from __future__ import annotations

import keyword
import random
import re

import fuzz
import fuzz_schemas
import pytest
from front import checked, pytorch_yaml
from opgen.parse import schema_text

SEED = 20
COUNTS = {"schemas": 20_000, "yaml": 5_000}


@pytest.mark.parametrize("kind", COUNTS)
def test_inputs(kind):
    failures = fuzz.batch(kind, SEED, 0, COUNTS[kind])
    assert not failures, "\n\n".join(map(str, failures))


# -- the fuzzer itself -------------------------------------------------------------------------------------


def test_the_same_number_gives_the_same_input():
    for kind in ("schemas", "yaml"):
        made = [fuzz.made(kind, 1, i) for i in range(200)]
        assert made == [fuzz.made(kind, 1, i) for i in range(200)]
        assert len(set(made)) > 190 and made != [fuzz.made(kind, 2, i) for i in range(200)]


def test_inputs_are_neither_all_good_nor_all_bad():
    texts = [fuzz.made("schemas", 1, i).text for i in range(2000)]
    good = sum(not schema_text.parse(text).faults for text in texts)
    assert 400 < good < 1600
    files = [fuzz.made("yaml", 1, i) for i in range(500)]
    codes = [{d.code for d in checked(f.functions)[1]} for f in files]
    assert sum(not c for c in codes) > 20 and len(set().union(*codes)) > 50


def test_a_fault_of_the_reader_is_found_and_made_small(monkeypatch):
    parse = schema_text.parse

    def broken(text: str) -> schema_text.Parsed:
        if "$" in text:
            raise RecursionError("as a bad parser would")
        return parse(text)

    monkeypatch.setattr(schema_text, "parse", broken)
    failures = fuzz.batch("schemas", 1, 0, 500)
    assert failures and {f.given.text for f in failures} == {"$"}
    assert "RecursionError" in failures[0].error


# -- PyTorch's parser --------------------------------------------------------------------------------------

# Types of declarations that torch's parser of run-time schemas lacks.
NO_TORCH_TYPES = ("Dimname", "DimVector", "GraphModule", "__torch__")


def torch_accepts(text: str) -> bool:
    import torch

    try:
        torch._C.parse_schema(text)
    except RuntimeError:
        return False
    return True


def excepted(text: str) -> str | None:
    """Returns why torch's parser may reject what ours accepts."""
    if re.search(rf"\b({'|'.join(NO_TORCH_TYPES)})\b", text):
        return "a type of declarations only, or a class that is not there"
    if re.search(r"=-?(inf|nan)\b", text):
        return "no literal of TorchScript"
    if re.search(rf" ({'|'.join(keyword.kwlist)})[,)=]", text):
        return "a keyword, which a rule of ours refuses, too"
    if re.search(r"\bScalar\??\[\d*\](\??) \w+=", text):
        return "a default of a list of scalars, for which torch's parser has no literal"
    arguments = schema_text.parse(text).schema.arguments
    with_default = [argument.default is not None for argument in arguments.positional]
    if with_default != sorted(with_default):
        return "no default after a default, which a rule of ours refuses, too"
    return None


def test_torch_takes_what_we_take():
    pytest.importorskip("torch")
    refused, compared = [], 0
    for index in range(COUNTS["schemas"]):
        text = fuzz.made("schemas", SEED, index).text
        if not schema_text.parse(text).faults and excepted(text) is None:
            compared += 1
            if not torch_accepts(text):
                refused.append(text)
    assert compared > 3000 and refused == []


def test_the_exceptions_are_needed():
    pytest.importorskip("torch")
    for type in (*NO_TORCH_TYPES[:-1], "__torch__.torch.classes.no.Such"):
        assert not schema_text.parse(f"f({type} x) -> ()").faults
        assert not torch_accepts(f"f({type} x) -> ()")
    for text in (
        "f(float x=inf) -> ()",
        "f(Tensor if) -> ()",
        "f(int a=1, int b) -> ()",
        "f(Scalar[3] a=[]) -> ()",
    ):
        assert not schema_text.parse(text).faults and not torch_accepts(text) and excepted(text)
    for text in ("f(Tensor if) -> ()", "f(int a=1, int b) -> ()"):
        assert any(d.severity.name == "error" for d in checked(f"- func: {text}\n")[1])


def test_torchgen_takes_what_the_grammar_makes():
    """Conversely, PyTorch's own reader accepts the schemas that the generator of valid schemas makes."""
    pytorch_yaml()
    from torchgen.model import FunctionSchema

    chance, taken = random.Random(SEED), 0
    for _ in range(2000):
        text = fuzz_schemas.schema(chance)
        try:
            FunctionSchema.parse(text)
            taken += 1
        except Exception:
            continue
        assert not schema_text.parse(text).faults
    assert taken > 100


# -- reported faults of torchgen ---------------------------------------------------------------------------

# Number of the report at github.com/pytorch/pytorch/issues: the file, and our diagnostic. For the last three
# the reports only have the traceback; these files cause the same one.
REPORTED = {
    127404: (
        "- func: _cast_Byte(Tensor self, bool non_blocking=Faon_blocking=False) -> Tensor\n",
        "OPG118",
        1,
        51,
    ),
    127405: (
        "- func: addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1,"
        " Tensor(a!) out) -> Tensor(a!)\n  dispatch:\n    CPU, CUDA: addr_out\n    MPS: addr_out_mps\n"
        "    CompositeExplicitAutograd:\n    SparseCPU, SparseCUDA: sparse_mask_projection\n"
        "  autogen: _sparse_mask_projection.out\n",
        "OPG214",
        5,
        31,
    ),
    127406: (
        "- structured: True\n  structured_inherits: TensorIteratorBase\n  dispatch:\n    CPU, CUDA: sgn_out\n"
        "    MPS: sgn_out_mps\n    SparseCPU, SparseCUDA: sgn_sparse_out\n"
        "    SparseCsrCPU, SparseCsrCUDA: sgn_sparse_csr_out\n  tags: pointwise\n",
        "OPG202",
        1,
        3,
    ),
    127407: (
        "- func: special_xlogy.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)\n"
        "  device_check: NoCheck2  # TensorIterator\n  python_module: special\n  variants: function\n",
        "OPG208",
        2,
        17,
    ),
    127408: (
        "- func: _masked_scale(Tensor self, Tensor mask, float$scale) -> Tensor\n  variants: function\n"
        "  dispatch:\n    CUDA: masked_scale_cuda\n  autogen: _masked_scale.out\n",
        "OPG109",
        1,
        54,
    ),
    127409: (
        "- func: hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor\n"
        "  structured_delegate: hardsigmoid_backward.grad_input\n  python_module: nn\n",
        "OPG610",
        2,
        24,
    ),
    127410: ("- functa` and `Variable` have compatible tensor\n", "OPG201", 1, 3),
    127411: (
        "- func: index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)\n"
        "  device_check: NoCheck\n  structured: True\n  structured_inherits: TensorIteratorBase\n"
        "  precomputed:\n  - indices ->dnn_linear(Tensor self, Tensor weight, Tensor? bias=None) -> Tensor\n"
        "  python_module: nn\n",
        "OPG215",
        6,
        5,
    ),
    162395: ("- func: acos(Tensor self, dim=int 1) -> Tensor\n", "OPG108", 1, 27),
    162397: ("- func: acos(Tensor self) -> Tensor\n  tags: [core: pointwise]\n", "OPG204", 2, 10),
    162398: (
        "- func: sum.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
        "  precomputed: {dim: 'int dim, int valid'}\n  dispatch:\n    CPU: sum_out\n",
        "OPG204",
        3,
        16,
    ),
}


@pytest.mark.parametrize("number", REPORTED)
def test_reported(number):
    text, *expected = REPORTED[number]
    found = [[d.code, d.span.line, d.span.column] for d in checked(text)[1] if d.severity.name == "error"]
    assert expected in found
