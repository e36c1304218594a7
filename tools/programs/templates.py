"""The steps that programs are made of: the frequency of each kind, and the texts of its steps.

`{t}` is the tensor that a step is about (`{f}`: of floating point, `{c}`: complex, `{r}`: one that requires
grad, `{l}`: such a leaf, `{n}`: one that requires grad and is not a leaf, `{o}`: of floating point and not a
view, `{m}`: a matrix, `{h}`: a handle of a hook); other names are those of fillers.py. `{new}` is a new name
for the result.

There are no steps that PyTorch gets wrong: gradients of views that were made to require grad themselves,
which it loses once their memory is written to; reductions written over their input; resize_ to size -1.
"""

from __future__ import annotations

from .templates_writes import ASSIGN, AUTOGRAD, MEMORY, OUT, WRITE

NEW = """
{new} = lib.arange(6, dtype={dtype}).reshape(2, 3)
{new} = lib.arange(6.).reshape(2, 3).clone().requires_grad_()
{new} = lib.tensor([[1., 2.], [3., -4.]], requires_grad={flag})
{new} = lib.tensor([[1., 2., 0.5], [3., -4., 0.]], dtype=lib.float64, requires_grad={flag})
{new} = lib.tensor([1, 2, 3], dtype={dtype})
{new} = lib.tensor({number}, dtype={dtype})
{new} = lib.tensor({number})
{new} = lib.ones(2, 3, requires_grad={flag})
{new} = lib.zeros({sizes}, dtype={dtype})
{new} = lib.full({sizes}, {number}, dtype={dtype})
{new} = lib.ones(1, 2, 2, 2, requires_grad={flag}).contiguous(memory_format=lib.channels_last)
{new} = lib.tensor([1 + 2j, -1j], dtype=lib.complex64, requires_grad={flag})
"""

VIEW = """
{t}.view({same})
{t}.view({same})
{t}.reshape({same})
{t}.view_as({like})
{t}.reshape_as({like})
{t}.transpose({dim}, {dim})
{t}.permute({order})
{m}.t()
{t}.T
{m}.mT
{t}.unsqueeze({new_dim})
{t}.squeeze()
{t}.squeeze({dim})
{t}.narrow({narrow})
{t}.select({select})
{t}[{index}]
{t}[{index}]
{t}[{index}]
{t}.diagonal()
{t}.expand({larger})
{t}.expand({larger})
{t}.expand_as({tensor})
{t}.broadcast_to({larger})
{t}.as_strided({strided})
{t}.as_strided({strided})
{t}.flatten()
{t}.flatten({dim})
{t}.unbind({dim})[0]
{t}.split(1, {dim})[-1]
{t}.split(2, {dim})[0]
{t}.chunk(2, {dim})[0]
{t}.view({dtype})
{t}.detach()
{t}.detach()
{t}.data
lib.real({c})
lib.imag({c})
lib.view_as_real({c})
lib.view_as_complex({f})
{t}.contiguous()
{t}.contiguous(memory_format={format})
{t}.positive()
{t}.to({dtype})
{t}.to({t}.dtype)
"""

COPY = """
{t}.clone()
{t}.clone(memory_format={format})
{t}.to({dtype}, memory_format={format})
{t}.to({dtype}, copy=True)
{t}.to({any})
{t}.type_as({any})
{t}.float()
{t}.double()
{t}.long()
{t}.half()
lib.zeros_like({t})
lib.ones_like({t}, memory_format={format})
lib.full_like({t}, {number})
lib.ones_like({t}, dtype={dtype})
lib.ones_like({f}, requires_grad=True)
{t}.new_zeros({sizes})
{t}.new_full({sizes}, {number})
{t}.new_tensor([1, 2])
lib.tensor({t}.tolist())
lib.as_tensor({t})
lib.asarray({t})
{t}.repeat(2, *{same}[1:])
{t}.item()
{t}.dim()
{t}.numel()
{t}.is_contiguous()
"""

COMPUTE = """
{t} + {other}
{t} - {other}
{t} * {other}
{t} / {other}
{t} // {other}
{t} % {other}
{t} ** 2
{number} - {t}
{number} / {t}
-{t}
~{t}
{t} & {other}
{t} == {other}
{t} > {other}
{t} <= {other}
lib.add({t}, {other}, alpha=2)
lib.where({mask}, {t}, {other})
lib.maximum({t}, {tensor})
lib.minimum({t}, {tensor})
{t}.abs()
{t}.sqrt()
{t}.exp()
{t}.sin()
{t}.sigmoid()
{t}.relu()
{t}.square()
{t}.floor()
{t}.sign()
{t}.clamp(-1, 1)
{t}.clamp(min={number})
{t}.lerp({like}, 0.5)
{t}.masked_fill({mask}, {number})
{t}.cumsum({dim})
{t}.tril()
{t}.flip({dims})
{t}.roll(1, {dim})
{t}.logical_not()
lib.addcmul({t}, {tensor}, {tensor}, value=2)
lib.cat([{t}, {like}], {dim})
lib.stack([{t}, {like}], {new_dim})
lib.cat([{t}, {any}])
{m} @ {m}.mT
{m}.mv({any})
lib.matmul({t}, {any})
{t}.index_select({indices})
{t}.gather({places})
{t}.scatter({places}, {number})
{t}.scatter_add({places}, {like})
{t}.masked_select({mask})
{t}.index_add({indices}, {like})
{t}.softmax({dim})
{t}.nonzero()
"""

REDUCE = """
{t}.sum()
{t}.sum({dim})
{t}.sum({dims})
{t}.sum({dim}, keepdim=True)
{t}.sum(dtype={dtype})
{t}.mean()
{t}.mean({dim})
{t}.prod()
{t}.prod({dim})
{t}.amax({dims})
{t}.amin({dim}, keepdim={flag})
{t}.max()
{t}.max({dim}).values
{t}.min({dim}).indices
{t}.argmax()
{t}.any()
{t}.all({dim})
{t}.var({dim})
{t}.std()
{t}.norm()
{t}.logsumexp({dims})
{t}.sort({dim}, stable=True).values
"""

# The frequency of a kind, the beginning of its texts, and the texts.
KINDS: tuple[tuple[int, str, str], ...] = (
    (7, "", NEW),
    (26, "{new} = ", VIEW),
    (6, "{new} = ", COPY),
    (14, "{new} = ", COMPUTE),
    (5, "{new} = ", REDUCE),
    (20, "", WRITE),
    (4, "{new} = ", WRITE),
    (4, "", ASSIGN),
    (5, "", OUT),
    (24, "", AUTOGRAD),
    (5, "", MEMORY),
)
SCOPES = (
    "with lib.no_grad(): ",
    "with lib.no_grad(): ",
    "with lib.no_grad(): ",
    "with lib.inference_mode(): ",
    "with lib.inference_mode(), lib.enable_grad(): ",
    "with lib.no_grad(), lib.enable_grad(): ",
    "with lib.set_grad_enabled(False): ",
    "with lib.inference_mode(False): ",
)
INFERENCE = "inference_mode()"  # no tensors that require grad are made in these: PyTorch's are inconsistent
SCOPED = 0.12  # share of the steps
