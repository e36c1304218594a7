"""What `opgen build` says of a failed step: the compiler's message, and the header to include."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from opgen.build import compiler_errors
from opgen.build.toolchain import Toolchain, ToolchainError

COMMAND = "/usr/bin/c++ " + "-DSOME_OPTION " * 80
TENSOR = """
namespace at {
inline namespace aten_v1 {
struct Tensor {};
struct Scalar {};
Tensor operator+(const Tensor& x, const Tensor& y);
Tensor operator+(const Tensor& x, const Scalar& y);
}
}
namespace mine {}
"""
KERNEL = "at::Tensor kernel(at::Tensor x, at::Tensor* y) {{ return {expression}; }}\n"


def compiled(folder: Path, expression: str) -> str:
    """Returns what Ninja would print of a kernel that the compiler refuses."""
    try:
        cxx = Toolchain.find("cpu").cxx
    except ToolchainError as error:
        pytest.skip(str(error))
    file = folder / "kernel.cpp"
    file.write_text("#include <string>\n" + TENSOR + KERNEL.format(expression=expression))
    done = subprocess.run(
        [cxx, "-std=c++20", "-fsyntax-only", file], capture_output=True, text=True, check=False
    )
    assert done.returncode
    head = f"[1/2] Building CXX object one.cpp.o\nFAILED: [code=1] kernel.cpp.o \n{COMMAND}\n"
    return (
        f"{head}{done.stderr}[2/2] Building CXX object two.cpp.o\nninja: build stopped: subcommand failed.\n"
    )


@pytest.fixture
def headers(tmp_path: Path) -> Path:
    folder = tmp_path / "include"
    (folder / "ATen" / "ops").mkdir(parents=True)
    for name in ("exp", "mine_exp", "two_words"):
        (folder / "ATen" / "ops" / f"{name}.h").touch()
    return folder


def test_the_message_comes_first(tmp_path):
    message = compiler_errors.failure(compiled(tmp_path, "at::nothing(x)"), verbose=False).splitlines()
    assert message[0] == "the compiler failed:"
    assert "kernel.cpp" in message[1] and any(" error: " in line for line in message[1:3])
    assert not any("-DSOME_OPTION" in line or line.startswith(("FAILED", "ninja:", "[")) for line in message)


def test_the_command_is_there_where_it_is_asked_for(tmp_path):
    message = compiler_errors.failure(compiled(tmp_path, "at::nothing(x)"), verbose=True)
    assert COMMAND in message and " error: " in message


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        ("at::exp(x)", "at::exp is declared in a header: #include <ATen/ops/exp.h>"),
        ("mine::exp(x)", "mine::exp is declared in a header: #include <ATen/ops/mine_exp.h>"),
        ("at::exp(at::exp(x))", "at::exp is declared in a header: #include <ATen/ops/exp.h>"),
        ("at::nothing(x)", None),
        ("exp(x)", None),
        ("x.exp()", None),
    ],
)
def test_the_header_of_an_unknown_operator(tmp_path, headers, expression, named):
    message = compiler_errors.failure(compiled(tmp_path, expression), verbose=False)
    wanted = [f"help: {named}"] if named else []
    assert list(compiler_errors.headers(message, [tmp_path, headers])) == wanted


def test_the_operators_of_other_types_are_left_out(tmp_path):
    """Each of the dozens that <string> has is a note of three lines."""
    output = compiled(tmp_path, "x + std::string() + at::nothing(x)")
    assert output.count("\n") > 60
    message = compiler_errors.failure(output, verbose=False)
    assert message.count("\n") < 15 and message.count(" error: ") == 2 and "candidate" not in message
    assert "candidate" in compiler_errors.failure(output, verbose=True)


@pytest.mark.parametrize(
    "line",
    [
        "ATen/TensorOperators.h:83:12: error: \u2018Tensor\u2019 has no member named \u2018bitwise_not\u2019",
        "in/ATen/TensorOperators.h:83:12: error: no member named 'bitwise_not' in 'at::Tensor'",
    ],
)
def test_an_operator_that_was_not_selected(line):
    (said,) = compiler_errors.headers(f"{line}\n{line}\n", [])
    assert "no bitwise_not" in said and "#include <ATen/TensorOperators.h>" in said


def test_output_without_a_failed_step():
    message = compiler_errors.failure("[1/2] one\nninja: error: no such file\n", verbose=False)
    assert message == "the compiler failed:\nninja: error: no such file"
