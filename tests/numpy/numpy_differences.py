"""Where expressions have other outcomes than PyTorch's on purpose: a pattern, an example, the reason."""

from __future__ import annotations

DIFFERENCES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "conversions": (
        (
            r".*device='meta'.*",
            "T.as_tensor([[1], []], device='meta')",
            "data are checked for the meta device as well",
        ),
        (
            r".*np\.uint64\(.*",
            "T.tensor(np.uint64(3))",
            "PyTorch doesn't convert its own uint64 from NumPy's",
        ),
        (
            r".*np\.void\(.*",
            "T.tensor(np.void(b'abc'), dtype=T.int32)",
            "bytes without a type are no numbers",
        ),
        (
            r"T\.asarray\(np\.longdouble\(.*",
            "T.asarray(np.longdouble(1.5), dtype=T.float16)",
            "it rounds as in tensor()",
        ),
    ),
    "exports": (
        (r".*conj\(\).*", "z.conj().numpy()", "conjugation computes at once"),
        (
            r"np\.array\(x, copy=False\)",
            "np.array(x, copy=False)",
            "NumPy asks __array__ for no copy, and needs none",
        ),
        (
            r".*\.view\('f8'\).*",
            "T.from_numpy(np.zeros(9, 'u1')[1:].view('f8'))",
            "a tensor's memory is aligned",
        ),
        (
            r".*ulonglong.*",
            "T.from_numpy(np.zeros(3, np.ulonglong)).dtype",
            "it is NumPy's other name of uint64",
        ),
        (r".*T\.Size\(.*np\..*", "T.Size([np.int64(2)])", "sizes are ints, as Size's members expect"),
    ),
    "operators": (
        (
            r".*np\.bool_\(.*",
            "T.arange(3) + np.bool_(True)",
            "NumPy's bool is a bool; PyTorch takes it for a float",
        ),
        (r".*np\.complex64\(.*", "x + np.complex64(1j)", "PyTorch drops the imaginary part"),
        (
            r".* != .*np\..*|.*np\..* != .*",
            "x != np.ones(3)",
            "!= compares elements as == does; PyTorch's is True",
        ),
        (r".*2\*\*63.*", "T.arange(3) < (2**63)", "an int64 isn't compared with what it can't hold"),
        (
            r"x\.half\(\) / \((1j|np\.complex128\(2\))\)",
            "x.half() / (1j)",
            "complex32 divides on the CPU, too",
        ),
    ),
    "ufuncs": (),
    "index_values": (
        (
            r"put.*np\.(float32|float16|bool_)\(.*",
            "put(x, 0, np.float32(1))",
            "all of NumPy's scalars are numbers",
        ),
        (
            r".*np\.complex64\(.*",
            "put(T.zeros(1, dtype=T.complex64), 0, np.complex64(1j))",
            "PyTorch drops the imaginary part",
        ),
        (
            r"put.*uint8.*",
            "put(grid(3), T.tensor([1, 0, 1], dtype=T.uint8), 7)",
            "masks of uint8 work for assignment, too",
        ),
        (
            r"put\(T\.(arange|zeros).*g\.sum\(\)\)",
            "put(T.arange(12).reshape(3, 4), 0, g.sum())",
            "integers have no gradients",
        ),
    ),
    "arguments": (
        (
            r".*np\.bool_\(.*",
            "T.full((2,), np.bool_(True))",
            "NumPy's bool is a bool; PyTorch takes it for a float",
        ),
        (r".*np\.complex64\(.*", "x.add(np.complex64(1j))", "PyTorch drops the imaginary part"),
        (r".*np\.array\(1(\.5)?\).*", "m.sum(np.array(1))", "arrays of no dimensions are numbers"),
        (
            r".*T\.tensor\(\[1\]\).*",
            "m.select(0, T.tensor([1]))",
            "an int is an int or a tensor of no dimensions",
        ),
        (
            r"F\.interpolate\(.*",
            "F.interpolate(m[None], scale_factor=T.tensor(1))",
            "what converts to a number is one",
        ),
        (r".*True.*", "T.zeros(2, True)", "a bool is no size"),
        (
            r".*ldexp\(.*np\.uint64.*",
            "x.ldexp(T.tensor(np.uint64(1)))",
            "PyTorch doesn't convert its own uint64 from NumPy's",
        ),
    ),
    "constructors": (
        (r"T\.Tensor\(x, device='cpu'\)", "T.Tensor(x, device='cpu')", "the device is the tensor's"),
        (
            r"x\.new\(1, device='meta'\)\.shape",
            "x.new(1, device='meta').shape",
            "a tensor of sizes has no other device's data",
        ),
        (
            r".*np\.bool_\(.*",
            "T.full((2,), np.bool_(True))",
            "NumPy's bool is a bool; PyTorch takes it for a float",
        ),
        (r".*np\.complex64\(.*", "T.full((2,), np.complex64(1j))", "PyTorch drops the imaginary part"),
    ),
    "devices": (
        (
            r".*T\.range\(.*",
            "within(T, 'meta', lambda: T.range(0, 3))",
            "range() is a factory as arange() is",
        ),
        (
            r".*T\.tensor\(\[T\.tensor.*",
            "within(T, 'meta', lambda: T.tensor([T.tensor(1.0)]))",
            "data are read",
        ),
    ),
}
