"""Generated headers against those of an installed PyTorch: our declarations are spelled as in PyTorch."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest
from front import ROOT
from opgen import locate, pipeline
from opgen.render import library
from opgen.select import sources
from opgen.template_views import library as views

pytestmark = pytest.mark.slow
FUNCTION = re.compile(r"^inline (.+ (\w+)\(.*\)) \{", re.MULTILINE)
METHOD = re.compile(r"^ +(?:inline )?(.+ (\w+)\(.*\) const);", re.MULTILINE)
NATIVE = re.compile(r"^TORCH_API (.+ (\w+)\(.*\));", re.MULTILINE)
MEMBER = re.compile(
    r"^ *(?:TORCH_API )?(?:void|meta_return_ty) (?:impl|meta)\((.*)\)(?:;| \{)$", re.MULTILINE
)
STRUCT = re.compile(r"^struct TORCH_API (structured_\w+) : public ([\w:]+) \{", re.MULTILINE)


def torch_headers() -> Path:
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip("needs torch (extra 'oracle')")
    return Path(spec.origin).parent / "include" / "ATen"


@cache
def ours() -> dict[str, str]:
    """Returns the headers of our own schemas: path under ATen/ -> text."""
    program, report = pipeline.load(ROOT / "schemas")
    assert not report.failed
    copied = sources.runtime_sources(locate.share(), "x")
    plan = views.build_library(program, copied, views.LibraryOptions("x"))
    files = library.files(plan, locate.share() / "templates")
    begin = "include/x/ATen/"
    return {f.path.removeprefix(begin): f.content.decode() for f in files if f.path.startswith(begin)}


@cache
def theirs(header: str) -> str:
    """Returns PyTorch's header, with each declaration on one line."""
    file = torch_headers() / header
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return re.sub(r",\n +", ", ", re.sub(r"\(\n +", "(", text))


def spelling(text: str) -> str:
    """Returns a normalised declaration. PyTorch spells some C++ symbols in several ways; white space and the
    namespace of its own types are ignored, as is the prefix of those (conj) that have hand-written wrappers.
    Our Tensor::index is a template, so that TensorIndex need not be defined before Tensor.
    """
    text = re.sub(r"\s+", " ", text).replace("structured_", "").replace("__dispatch_", "")
    text = text.replace("std::type_identity_t<Index>", "indexing::TensorIndex")
    return re.sub(r"\b(?:at|c10)::", "", text)


# PyTorch registers the overloads for all dimensions by hand; its headers only have those for one dimension.
BY_HAND = ("ops/sym_size", "ops/sym_stride")


def op_headers(suffix: str) -> list[str]:
    """Returns our headers for which PyTorch has one of the same name."""
    found = [h for h in ours() if re.fullmatch(rf"ops/\w+?{suffix}\.h", h) and not h.startswith(BY_HAND)]
    if not suffix:
        found = [h for h in found if not h.endswith(("_ops.h", "_native.h", "_meta.h"))]
    return [h for h in found if theirs(h)]


def differences(pattern: re.Pattern[str], header: str) -> list[str]:
    known = {spelling(m[0]) for m in pattern.findall(theirs(header))}
    return [f"{header}: {m[0]}" for m in pattern.findall(ours()[header]) if spelling(m[0]) not in known]


def test_functions():
    headers = op_headers("")
    assert len(headers) > 100
    found = [d for h in headers for d in differences(FUNCTION, h) if "_symint" not in d]
    assert not found


def test_methods():
    torch = theirs("core/TensorBody.h")
    known = {spelling(m[0]) for m in METHOD.findall(torch)}
    names = {m[1] for m in METHOD.findall(torch)}
    found = [m for m in METHOD.findall(ours()["core/TensorBody.h"]) if "_symint" not in m[1]]
    assert len(found) > 200
    assert not [m[0] for m in found if m[1] in names and spelling(m[0]) not in known]


def test_native_functions():
    """Kernels that PyTorch has under the same name have the same signature."""
    headers = op_headers("_native")
    assert len(headers) > 100
    found = []
    for header in headers:
        names = {m[1] for m in NATIVE.findall(theirs(header))}
        known = {spelling(m[0]) for m in NATIVE.findall(theirs(header))}
        mine = NATIVE.findall(ours()[header])
        found += [f"{header}: {m[0]}" for m in mine if m[1] in names and spelling(m[0]) not in known]
    assert not found


@pytest.mark.parametrize("suffix", ["_native", "_meta"])
def test_structured_kernels(suffix):
    headers = op_headers(suffix)
    found = []
    for header in headers:
        their_structs = dict(STRUCT.findall(theirs(header)))
        known = {spelling(m) for m in MEMBER.findall(theirs(header))}
        for name, parent in STRUCT.findall(ours()[header]):
            if name in their_structs and spelling(their_structs[name]) != spelling(parent):
                found.append(f"{header}: {name} inherits {parent}")
        if their_structs:
            found += [f"{header}: ({m})" for m in MEMBER.findall(ours()[header]) if spelling(m) not in known]
    assert not found


def test_operator_structs():
    """The structs in at::_ops have PyTorch's names, C++ types and schema strings."""
    headers = op_headers("_ops")
    wanted = re.compile(r"struct TORCH_API (\w+) \{\s+using schema = ([^;]+);")
    found = []
    for header in headers:
        known = {name: spelling(schema).replace(" (", "(") for name, schema in wanted.findall(theirs(header))}
        for name, schema in wanted.findall(ours()[header]):
            if known.get(name) not in (None, spelling(schema).replace(" (", "(")):
                found.append(f"{header}: {name}: {schema}")
    assert not found
