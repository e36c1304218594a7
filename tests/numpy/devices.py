"""Expressions that are evaluated where new tensors are on another device than the CPU."""

from __future__ import annotations

CALLS = (
    "T.empty(2)", "T.zeros(2)", "T.ones(2)", "T.full((2,), 1)", "T.arange(3)", "T.linspace(0, 1, 3)",
    "T.logspace(0, 1, 3)", "T.eye(2)", "T.rand(2)", "T.randn(2)", "T.randint(3, (2,))",
    "T.randint(0, 3, (2,))", "T.randperm(3)", "T.range(0, 3)", "T.tensor([1])", "T.tensor(1.5)",
    "T.as_tensor([1])", "T.as_tensor(np.ones(2))", "T.tensor(np.ones(2))", "T.tensor(x)", "T.as_tensor(x)",
    "T.asarray([1])", "T.asarray(np.ones(2))", "T.asarray(x)", "T.scalar_tensor(1)",
    "T.empty_strided((2,), (1,))", "T.empty_permuted((2,), (0,))", "T.tril_indices(2, 2)",
    "T.triu_indices(2, 2)", "T.hann_window(3)", "T.hamming_window(3)", "T.bartlett_window(3)",
    "T.blackman_window(3)", "T.kaiser_window(3)", "T.fft.fftfreq(3)", "T.fft.rfftfreq(3)",
    "T.from_numpy(np.ones(2))", "T.frombuffer(bytearray(4), dtype=T.uint8)", "T.zeros_like(x)",
    "x.new_zeros(2)", "x.new_tensor([1])", "T.complex(T.ones(2), T.ones(2))", "T.zeros(2, device='cpu')",
    "T.tensor([1], device='cpu')", "T.zeros(2, device=None)", "T.nn.Linear(2, 2).weight.data",
    "T.nn.Embedding(2, 2).weight.data", "T.nn.BatchNorm1d(2).running_mean",
    "T.nn.Parameter(T.ones(2)).data", "T.Tensor([1])", "T.FloatTensor([1])", "T.nn.init.zeros_(T.empty(2))",
    "T.get_default_device()", "T.vander(T.ones(2))",
    "T.meshgrid(T.arange(2), T.arange(2), indexing='ij')[0]", "T.cartesian_prod(T.arange(2), T.arange(2))",
    "T.normal(T.ones(2))", "T.bernoulli(T.ones(2))", "x + 1", "x[[0, 1]]", "put(grid(3), [0], 1)",
    "x == np.ones(3)", "F.one_hot(k)", "T.where(x > 1, x, 0)", "T.atleast_1d(1.0)", "T.device('cpu')",
    "T.distributions.Normal(0.0, 1.0, validate_args=False).sample((2,))",
    "T.distributions.Normal(0.0, 1.0, validate_args=False).mean",
    "T.block_diag(T.ones(1, 1), T.ones(1, 1))", "T.Generator().device", "T.manual_seed(1).device",
    "copy.deepcopy(x)", "pickle.loads(pickle.dumps(x))", "T.nn.functional.gumbel_softmax(T.ones(2, 2))",
    "T.nn.LSTM(2, 2).weight_hh_l0.data", "T.utils.data.TensorDataset(T.ones(2)).tensors[0]",
    "T.func.jacrev(lambda v: v)(x)", "T.autograd.functional.jacobian(lambda v: v * 2, x)",
    "T.tensor([T.tensor(1.0)])", "T.rand_like(x).device", "T.normal(0.0, 1.0, (2,)).device",
    "T.Tensor(2).device", "T.LongTensor(2).device",
)  # fmt: skip

TABLES = ((CALLS, ("within(T, 'meta', lambda: {})", "defaulted(T, 'meta', lambda: {})")),)
