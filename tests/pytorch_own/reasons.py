"""Why PyTorch's tests fail or don't apply here: a pattern in the test's name and its error, and the reason.

A test belongs to the first reason whose pattern is found. What no pattern finds is listed by name on the
page.
"""

from __future__ import annotations

import re

ELSEWHERE = "they fail or are skipped with PyTorch {version} itself, too"
REASONS: dict[str, tuple[str, ...]] = {
    "PyTorch 2.13 doesn't have or allow it, either": (r"keyword argument 'verbose'|Muon only supports 2D",),
    "there are only strided tensors": (r"[Ss]parse", r"to_dense|_nnz|crow_indices|is_coalesced"),
    "there are no quantized tensors": (r"quantiz|per_tensor_affine|fbgemm|qint8",),
    "there are no nested tensors": (r"[Nn]ested_?[Tt]ensor|torch\.nested|jagged",),
    "there are no named tensors": (r"NamedShape|test_named|has_names|type tuple at pos",),
    "nothing is compiled, traced or scripted": (
        r"torch\._dynamo|_inductor|torch\._export|torch\.fx|CompilationUnit|torch\.jit|\bjit\b|[Tt]estJit|onnx",
        r"[Ss]cript(Module|Function|Dict|List|ing|ed|_)",
    ),
    "tensors have no subclasses with __torch_dispatch__": (
        r"TwoTensor|LoggingTensor|_make_subclass|_make_wrapper_subclass|TestWrapperSubclass",
        r"__torch_dispatch__|torch\._subclasses|return_and_correct_aliasing|TorchDispatchMode",
    ),
    "there are no batched functions": (r"\bvmap\b|batched gradients|BatchedTensor",),
    "there are no collective operations between processes": (
        r"SyncBatchNorm|DataParallel|data_parallel|parallel\._functions|collective operations",
    ),
    "there are no 8-bit floating-point numbers": (r"float8|float4",),
    "there are no DataPipes": (r"[Dd]ata[Pp]ipe|IterableWrapper",),
    "nothing is built from C++ while a program runs": (r"cpp_extension|load_inline|hipify",),
    "memory has no dtype": (
        r"TypedStorage|(Float|Char|Byte|Double|Long|Int)Storage|memory has no dtype|attribute 'storage'",
    ),
    "programs are not profiled as by PyTorch": (r"profiler|kineto|record_function",),
    "autocast is accepted only where it is off": (r"autocast|GradScaler",),
    "files make no objects of classes that weren't allowed": (
        r"WEIGHTS_ONLY|Unsupported global|safe_globals|UnpicklingError|pickle_module=|weights_only=",
    ),
    "the format of files before PyTorch 1.6 is neither read nor written": (
        r"before PyTorch 1\.6|_use_new_zipfile|TestOldSerialization",
    ),
    "the helpers look at PyTorch's compiled module": (r"torch\._C\.\w+|torch\._utils\.",),
    "the random numbers are others, and the test holds only for some": (
        r"is biased|test_laplace |test_lowrank_multivariate_normal_moments",
        r"test_wishart_stable|test_weight_norm_param",
    ),
    "an error or text of the same kind says it in other words": (
        r"AssertionError: \"[^\n]*\" does not match \"",
        r"not found in '|AssertionError: Regex didn't match|AssertionError: '.*' != '",
    ),
    "the attribute or function is private": (
        r"has no attribute '_|torch\._\w+ is not|unexpected keyword argument '_",
        r"has no attribute '(hooks_dict_ref|__setstate__)'|\._\w+ is not here",
    ),
    "the public name is not here": (
        r"NotHere: |NotImplementedError: torch\.|the names that are not here|names\.md",
    ),
}


def reason_of(name: str, text: str) -> str | None:
    """Returns the reason of a failed test; None if there is none."""
    told = f"{name} \n{_told(text)}"
    return next(
        (reason for reason, patterns in REASONS.items() if any(re.search(p, told) for p in patterns)), None
    )


def _told(text: str) -> str:
    """The error without what every failure says: how PyTorch would run the test."""
    common = ("python test/", "PYTORCH_PRINT_REPRO")
    return "\n".join(line for line in text.split("\n") if not any(words in line for words in common))
