// glu: one half of a tensor times the logistic function of the other, with its derivatives.
#include <ATen/TensorIterator.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/activation/stubs.h>

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/glu_backward.h>
#include <ATen/ops/glu_backward_jvp_native.h>
#include <ATen/ops/glu_backward_native.h>
#include <ATen/ops/glu_jvp_native.h>
#include <ATen/ops/glu_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/sigmoid.h>

namespace at::native {

DEFINE_DISPATCH(glu_stub);
DEFINE_DISPATCH(glu_gate_backward_stub);
DEFINE_DISPATCH(glu_jvp_stub);

TORCH_IMPL_FUNC(glu_out)(const Tensor&, int64_t /*dim*/, const Tensor&) { glu_stub(device_type(), *this); }

namespace {

struct Halves {
  Tensor first, second;
};

Halves halves_of(const Tensor& self, int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "glu does not support scalars because halving size must be even");
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  const int64_t size = self.size(wrapped), half = size / 2;
  TORCH_CHECK(size % 2 == 0, "Halving dimension must be even, but dimension ", wrapped, " is size ", size);
  return {self.narrow(wrapped, 0, half), self.narrow(wrapped, half, half)};
}

}  // namespace

Tensor& glu_backward_out(const Tensor& grad_output, const Tensor& self, int64_t dim, Tensor& grad_input) {
  const Halves input = halves_of(self, dim);
  at::native::resize_output(grad_input, self.sizes());
  const Halves grad = halves_of(grad_input, dim);
  // The first half's gradient is the result's times the logistic function of the second.
  auto of_first = TensorIteratorConfig()
                      .resize_outputs(false)
                      .add_output(grad.first)
                      .add_const_input(grad_output)
                      .add_const_input(input.second)
                      .build();
  auto of_second = TensorIteratorConfig()
                       .resize_outputs(false)
                       .add_output(grad.second)
                       .add_const_input(grad_output)
                       .add_const_input(input.first)
                       .add_const_input(input.second)
                       .build();
  if (of_first.device_type() != kMeta) {
    glu_stub(of_first.device_type(), of_first);
    glu_gate_backward_stub(of_second.device_type(), of_second);
  }
  return grad_input;
}

Tensor glu_backward(const Tensor& grad_output, const Tensor& self, int64_t dim) {
  Tensor grad_input = at::empty({0}, self.options());
  return at::native::glu_backward_out(grad_output, self, dim, grad_input);
}

Tensor glu_jvp(const Tensor& glu, const Tensor& x, const Tensor& dx, int64_t dim) {
  const Tensor second = halves_of(x, dim).second;
  const Halves change = halves_of(dx, dim);
  Tensor result = at::empty_like(glu);
  auto iter = TensorIteratorConfig()
                  .add_output(result)
                  .add_const_input(glu)
                  .add_const_input(second)
                  .add_const_input(change.first)
                  .add_const_input(change.second)
                  .build();
  if (iter.device_type() != kMeta) glu_jvp_stub(iter.device_type(), iter);
  return result;
}

// glu_backward is linear in the gradient; its derivative by the second tensor uses those of the logistic
// function.
Tensor glu_backward_jvp(const Tensor& /*grad_x*/, const Tensor& grad_glu, const Tensor& x,
                        const Tensor& dgrad_glu, const Tensor& dx, int64_t dim) {
  const Halves input = halves_of(x, dim), change = halves_of(dx, dim);
  const Tensor s = input.second.sigmoid(), slope = s.mul(at::rsub(s, 1));
  const Tensor bend = slope.mul(at::rsub(s.mul(2), 1));
  const Tensor of_first = change.second.mul(slope).mul(grad_glu);
  const Tensor of_second =
      change.first.mul(slope).add(change.second.mul(input.first).mul(bend)).mul(grad_glu);
  return at::glu_backward(dgrad_glu, x, dim).add(at::cat({of_first, of_second}, dim));
}

}  // namespace at::native
