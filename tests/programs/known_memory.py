"""Known differences in values, memory, versions and errors."""

from __future__ import annotations

from known import ANY, OVERLAP, Known

SHARED = "shares its storage with others cannot grow"
MEMORY: tuple[Known, ...] = (
    Known(ANY, "outcome", SHARED, "^a result", "storage that others share does not grow under them"),
    Known(
        ".*(resize_|out=).*",
        "shape|strides.*|version|values|shares memory with",
        ANY,
        ANY,
        "what is refused leaves its out= or self as it was; PyTorch has resized it by then",
        error="RuntimeError|TypeError|IndexError|NotImplementedError",
    ),
    Known(r".*resize_\(.*", "version", ANY, ANY, "resize_ counts as a write"),
    Known(
        r".*(masked_scatter_|addmm_)\(.*|.*lib\.(matmul|gather)\(.*out=.*|.*\] = .*",
        "outcome",
        OVERLAP,
        "^a result",
        "an argument that shares memory with what is written is refused; PyTorch reads what it overwrote",
    ),
    Known(
        r".*\.\w+_\(.*|.* [-+*/]= t\d+.*",
        "values",
        ANY,
        ANY,
        "an argument that shares memory with what is written is read whole before",
        before=r"narrow|\[|split|chunk|as_strided|select|unbind|diagonal",
    ),
    Known(
        r".*(masked_fill|tril|index_put|copy)_\(.*|.*\] [+*]?= .*|.*lib\.gather\(.*out=.*",
        "outcome",
        "more than one element of the written-to tensor refers to a single memory location",
        "^a result",
        "to write where several elements lie at one place is an error; PyTorch warns",
    ),
    Known(
        ANY,
        "values",
        ANY,
        ANY,
        "the bits of rounded numbers",
        dtype=r"bool|u?int\d+",
        before=r"\.view\(lib\.",
    ),
    Known(
        r".*out=.*",
        "values",
        ANY,
        ANY,
        "an expanded input that shares memory with out= is read while that is written",
        before=r"as_strided|expand|broadcast",
    ),
    Known(
        r".*lib\.abs\(.*out=.*",
        "outcome",
        "In-place abs is not supported for complex tensors",
        "^a result",
        "abs is real: it is not written over its complex argument by out= either",
    ),
    Known(
        ANY,
        "strides that reach nothing",
        ANY,
        ANY,
        "results of contiguous tensors are laid out as these, with the strides of dimensions of size 1",
    ),
    Known(
        r".*\.logsumexp\(\(\)\)",
        "outcome",
        "^a result",
        "doesn't match the broadcast shape",
        "PyTorch's logsumexp over no dimension fails",
    ),
    Known(
        r".*\] = [-\d.Te].*",
        "outcome",
        "^a result",
        "more than one element of the written-to tensor refers to a single memory location",
        "a number fills tensors whose elements lie at one place",
    ),
    Known(
        ANY,
        "outcome",
        "^a result",
        OVERLAP,
        "a single element may be written with itself whatever its strides are",
    ),
    Known(
        r".*\.index_add_?\(.*",
        "outcome",
        r"Number of indices \(\d\) should be equal to source.size\(dim\): \(1\)",
        "^IndexError: Dimension specified as 0 but tensor has no dimensions",
        "PyTorch fails while it writes the message of the error",
    ),
    Known(
        r".* & .*|.*\.(bitwise_\w+|round|clamp|addmm)_\(.*|.*(stack|cat)\(.*out=.*|.*\] = .*"
        "|.*scatter_.*",
        "outcome",
        "not implemented for|not supported for complex|cannot grow|dtypes match|variables that require grad"
        "|same number of dimensions|tensors used as indices must be|" + OVERLAP,
        "Dimension out of range|A view was created|in-place operation|modified inplace"
        "|t match the broadcast shape"
        "|t be cast to the desired"
        "|shape mismatch|not implemented for|more than one element|" + OVERLAP,
        "of two errors the other comes first",
    ),
    Known(
        r".*\.data = .*",
        "outcome",
        "the new data's device or kind differs",
        "^a result",
        "a tensor that counts versions does not become one that has none",
    ),
)
