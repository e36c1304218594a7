"""Texts of steps that modify memory, history or names (see templates.py)."""

from __future__ import annotations

WRITE = """
{t}.add_({other})
{t}.add_({other})
{t}.add_({like}, alpha=2)
{t}.sub_({other})
{t}.mul_({other})
{t}.mul_({other})
{t}.div_({other})
{t}.copy_({tensor})
{t}.copy_({tensor})
{t}.copy_({other})
{t}.fill_({number})
{t}.fill_({any})
{t}.zero_()
{t}.neg_()
{t}.abs_()
{t}.exp_()
{t}.relu_()
{t}.sqrt_()
{t}.sigmoid_()
{t}.square_()
{t}.round_()
{t}.pow_(2)
{t}.clamp_(-1, 2)
{t}.clamp_(min={tensor})
{t}.masked_fill_({mask}, {number})
{t}.masked_scatter_({mask}, {like})
{t}.index_add_({indices}, {like})
{t}.scatter_({places}, {number})
{t}.scatter_({places}, {like})
{t}.scatter_add_({places}, {like})
{t}.lerp_({like}, 0.5)
{t}.addcmul_({tensor}, {tensor})
{t}.addcdiv_({tensor}, {tensor}, value=2)
{t}.eq_({other})
{t}.logical_not_()
{t}.bitwise_and_({other})
{t}.cumsum_({dim})
{t}.tril_()
{m}.addmm_({m}, {m}.mT)
{t}[{index}].mul_({number})
{t}.unbind({dim})[0].mul_({number})
{t}.detach().add_({number})
{t}.data.mul_({number})
{t}.data.copy_({tensor})
{t}.transpose_({dim}, {dim})
{t}.unsqueeze_({new_dim})
{t}.squeeze_()
{t}.squeeze_({dim})
{m}.t_()
{t}.as_strided_({strided})
"""

ASSIGN = """
{t}[{index}] = {number}
{t}[{index}] = {any}
{t}[{index}] = {t}[{index}]
{t}[{index}] += {number}
{t}[{mask}] = {number}
{t} += {other}
{t} *= {other}
"""

OUT = """
lib.add({t}, {other}, out={any})
lib.mul({t}, {other}, out={like})
lib.div({t}, {other}, out={any})
lib.sum({t}, {dim}, out={apart})
lib.cat([{t}, {like}], {dim}, out={any})
lib.stack([{t}, {like}], out={any})
lib.abs({t}, out={like})
lib.eq({t}, {other}, out={like})
lib.matmul({m}, {m}.mT, out={any})
lib.cumsum({t}, {dim}, out={like})
lib.index_select({t}, {indices}, out={any})
lib.gather({t}, {places}, out={any})
lib.clamp({t}, -1, 1, out={any})
lib.where({mask}, {t}, {like}, out={any})
lib.max({t}, {dim}, out=({apart}, {apart}))
lib.masked_select({t}, {mask}, out={any})
lib.arange(4, out={t})
lib.full({sizes}, {number}, out={t})
lib.sigmoid({t}, out={any})
lib.mean({t}, {dim}, out={apart})
lib.amax({t}, {dims}, out={apart})
lib.any({t}, out={apart})
"""

AUTOGRAD = """
{o}.requires_grad_()
{o}.requires_grad_()
{o}.requires_grad_()
{t}.requires_grad_(False)
{o}.requires_grad = {flag}
{t}.detach_()
{r}.detach_()
{r}.sum().backward()
{r}.sum().backward()
{n}.sum().backward()
{n}.sum().backward(retain_graph={flag})
{n}.backward(lib.ones_like({n}))
{n}.backward(lib.ones_like({n}), retain_graph=True)
{r}.backward({like})
{n}.square().sum().backward(create_graph=True)
{n}.sum().backward(inputs=[{r}])
{new}, = lib.autograd.grad({n}.sum(), [{r}])
{new}, = lib.autograd.grad({n}.sum(), [{r}], retain_graph=True, allow_unused={flag})
{new}, = lib.autograd.grad({n}.square().sum(), [{r}], create_graph=True)
{new}, = lib.autograd.grad({n}, [{l}], lib.ones_like({n}), allow_unused=True, materialize_grads=True)
{r}.retain_grad()
{n}.retain_grad()
{t}.retain_grad()
{new} = {t}.grad
{new} = {l}.grad
{t}.grad = None
{l}.grad = None
{t}.grad = {like}
{r}.grad = {like}
{r}.grad = lib.ones_like({r})
{l}.grad.zero_()
{l}.grad.add_(1)
{l}.grad = {l}.grad.clone()
{t}.data = {any}
{r}.data = {like}
{t}.data = {like}.clone()
{new} = {t}.register_hook(lambda g: log.append(g.detach().clone()))
{new} = {r}.register_hook(lambda g: log.append(g.detach().clone()))
{new} = {r}.register_hook(lambda g: g * 2)
{new} = {r}.register_hook(lambda g: g[:0])
{new} = {r}.register_hook(lambda g: g.detach().mul_(2))
{new} = {n}.register_hook(lambda g: g * 2)
{new} = {n}.grad_fn.register_hook(lambda gi, go: log.append((len(gi), len(go))))
{new} = {n}.grad_fn.register_prehook(lambda go: log.append([g is None for g in go]))
{new} = {l}.register_post_accumulate_grad_hook(lambda p: log.append(p.grad.detach().clone()))
{new} = {l}.register_post_accumulate_grad_hook(lambda p: setattr(p, 'grad', None))
{new} = {r}.register_post_accumulate_grad_hook(lambda p: log.append(1))
{h}.remove()
lib.autograd.graph.increment_version({t})
{new} = {t}._base
"""

# Growing to new sizes exposes memory that nothing wrote to, so it is filled. The same number of elements may
# grow, too, where several of them shared an address.
MEMORY = """
{t}.resize_({sizes}).data.fill_({number})
{t}.resize_([{t}.numel()]).data.fill_({number})
{t}.resize_(2, 2, 2, 2, memory_format={format}).data.fill_({number})
{new} = {t}
del {t}
del {t}
"""
