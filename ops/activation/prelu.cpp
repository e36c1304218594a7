// prelu: a learned slope below zero, one for all channels or one per channel.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/activation/stubs.h>

#include <ATen/ops/_prelu_kernel.h>
#include <ATen/ops/_prelu_kernel_backward_native.h>
#include <ATen/ops/_prelu_kernel_native.h>
#include <ATen/ops/prelu_native.h>

#include <tuple>

namespace at::native {

DEFINE_DISPATCH(prelu_stub);
DEFINE_DISPATCH(prelu_backward_stub);
DEFINE_DISPATCH(prelu_weight_backward_stub);

namespace {

// The weight, reshaped so that its dimension is self's channel dimension.
Tensor weight_of_channels(const Tensor& self, const Tensor& weight) {
  if (weight.dim() == 0 || self.dim() == 1) {
    return weight;
  }
  DimVector sizes(self.dim() > 0 ? self.dim() : 1, 1);
  if (self.dim() > 1) sizes[1] = weight.size(0);
  return self.dim() == 0 ? weight.squeeze() : weight.reshape(sizes);
}

}  // namespace

Tensor prelu(const Tensor& self, const Tensor& weight) {
  TORCH_CHECK(weight.dim() <= 1,
              "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = ", weight.dim());
  if (weight.numel() != 1) {
    TORCH_CHECK(self.dim() > 0, "Not allow zero-dim input tensor.");
    const int64_t channels = self.dim() > 1 ? self.size(1) : 1;
    TORCH_CHECK(channels == weight.numel(),
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = ",
                weight.numel(), " and channel size = ", channels, ".");
  }
  return at::_prelu_kernel(self, weight_of_channels(self, weight));
}

Tensor _prelu_kernel(const Tensor& self, const Tensor& weight) {
  TORCH_CHECK(self.scalar_type() == weight.scalar_type(), "Found dtype ", weight.scalar_type(),
              " but expected ", self.scalar_type());
  const Tensor undefined;
  auto iter =
      TensorIteratorConfig().add_output(undefined).add_const_input(self).add_const_input(weight).build();
  if (iter.device_type() != kMeta) prelu_stub(iter.device_type(), iter);
  return iter.output();
}

std::tuple<Tensor, Tensor> _prelu_kernel_backward(const Tensor& grad_output, const Tensor& self,
                                                  const Tensor& weight) {
  for (const Tensor* t : {&grad_output, &weight}) {
    TORCH_CHECK(t->scalar_type() == self.scalar_type(), "_prelu_kernel_backward: Found dtype ",
                t->scalar_type(), " but expected ", self.scalar_type());
  }
  const Tensor undefined;
  auto of_self = TensorIteratorConfig()
                     .add_output(undefined)
                     .add_const_input(self)
                     .add_const_input(weight)
                     .add_const_input(grad_output)
                     .build();
  auto of_weight =
      TensorIteratorConfig().add_output(undefined).add_const_input(self).add_const_input(grad_output).build();
  if (of_self.device_type() != kMeta) {
    prelu_backward_stub(of_self.device_type(), of_self);
    prelu_weight_backward_stub(of_weight.device_type(), of_weight);
  }
  return {of_self.output(), of_weight.output()};
}

}  // namespace at::native
