// max, min and aminmax, of all elements or along a dimension with indices. Composed of amax, amin, argmax and
// argmin.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <ATen/native/reduction/stubs.h>

#include <ATen/ops/_aminmax_native.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/aminmax.h>
#include <ATen/ops/aminmax_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/max_native.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/min_native.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zero.h>

#include <tuple>

namespace at::native {

// -------------------- Along one dimension

namespace {

template <class Stub>
void value_and_position(Stub& position_stub, const Tensor& self, int64_t dim, bool keepdim,
                        const Tensor& values, const Tensor& indices) {
  if (self.numel() == 0) return;
  if (self.dim() == 0) {
    const_cast<Tensor&>(values).copy_(self);
    const_cast<Tensor&>(indices).zero_();
    return;
  }
  auto iter = meta::make_reduction(self, indices, dim, keepdim);
  position_stub(iter.device_type(), iter);
  const Tensor kept = keepdim ? indices : indices.unsqueeze(dim);
  Tensor chosen = keepdim ? values : values.unsqueeze(dim);
  at::gather_out(chosen, self, dim, kept);
}

}  // namespace

TORCH_IMPL_FUNC(max_out)
(const Tensor& self, int64_t dim, bool keepdim, const Tensor& values, const Tensor& indices) {
  value_and_position(argmax_stub, self, dim, keepdim, values, indices);
}

TORCH_IMPL_FUNC(min_out)
(const Tensor& self, int64_t dim, bool keepdim, const Tensor& values, const Tensor& indices) {
  value_and_position(argmin_stub, self, dim, keepdim, values, indices);
}

// -------------------- Of all elements

namespace {

void check_not_empty(const char* name, const Tensor& self) {
  TORCH_CHECK(self.numel() > 0, name,
              "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
              "with the 'dim' argument.");
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), name, "(): does not support complex input");
}

Tensor& write_number(const char* name, const Tensor& self, const Tensor& value, Tensor& out) {
  TORCH_CHECK(self.device() == out.device(), name, "(): expected input and out on one device, got ",
              self.device(), " and ", out.device());
  TORCH_CHECK(c10::canCast(self.scalar_type(), out.scalar_type()), name, "(): result type ",
              self.scalar_type(), " can't be cast to the desired output type ", out.scalar_type());
  resize_output(out, {});
  return out.copy_(value);
}

}  // namespace

Tensor max(const Tensor& self) {
  check_not_empty("max", self);
  return at::amax(self);
}

Tensor min(const Tensor& self) {
  check_not_empty("min", self);
  return at::amin(self);
}

Tensor& max_unary_out(const Tensor& self, Tensor& out) {
  check_not_empty("max", self);
  return write_number("max", self, at::amax(self), out);
}

Tensor& min_unary_out(const Tensor& self, Tensor& out) {
  check_not_empty("min", self);
  return write_number("min", self, at::amin(self), out);
}

// -------------------- Of two tensors

Tensor max(const Tensor& self, const Tensor& other) { return at::maximum(self, other); }

Tensor& max_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return at::maximum_out(out, self, other);
}

Tensor min(const Tensor& self, const Tensor& other) { return at::minimum(self, other); }

Tensor& min_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return at::minimum_out(out, self, other);
}

// -------------------- Both at once

TORCH_IMPL_FUNC(aminmax_out)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& min, const Tensor& max) {
  if (self.numel() == 0) return;
  const OptionalIntArrayRef dims =
      dim.has_value() ? OptionalIntArrayRef(IntArrayRef(&*dim, 1)) : OptionalIntArrayRef();
  auto smallest = meta::make_reduction(self, min, dims, keepdim);
  min_values_stub(smallest.device_type(), smallest);
  auto largest = meta::make_reduction(self, max, dims, keepdim);
  max_values_stub(largest.device_type(), largest);
}

std::tuple<Tensor, Tensor> _aminmax_all(const Tensor& self) { return at::aminmax(self); }

std::tuple<Tensor, Tensor> _aminmax(const Tensor& self, int64_t dim, bool keepdim) {
  return at::aminmax(self, dim, keepdim);
}

}  // namespace at::native
