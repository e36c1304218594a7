// all and any, and their forms for assertions.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <ATen/native/reduction/stubs.h>

#include <ATen/ops/_is_all_true_native.h>
#include <ATen/ops/_is_any_true_native.h>
#include <ATen/ops/all.h>
#include <ATen/ops/all_native.h>
#include <ATen/ops/any.h>
#include <ATen/ops/any_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/to.h>

namespace at::native {

DEFINE_DISPATCH(and_stub);
DEFINE_DISPATCH(or_stub);

namespace {

template <class Stub>
void fold_logic(Stub& stub, const Tensor& self, OptionalIntArrayRef dim, bool keepdim, const Tensor& result,
                bool of_nothing) {
  if (self.numel() == 0) {
    result.fill_(of_nothing);
  } else if (dim.has_value() && dim->empty()) {
    // Nothing is reduced: every element is converted to bool.
    result.copy_(at::ne(self, 0));
  } else {
    auto iter = meta::make_reduction(self, result, dim, keepdim);
    stub(iter.device_type(), iter);
  }
}

// For any backend that has the operator for one dimension.
template <class OneDim>
Tensor fold_dims(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, const OneDim& fold_dim) {
  const DimMask mask = make_dim_mask(dim, self.dim(), /*allow_empty_dims=*/true);
  Tensor result = self;
  for (int64_t d = 0; d < self.dim(); d++) {
    if (mask[d]) {
      result = fold_dim(result, d);
    }
  }
  if (mask.none()) {
    return self.scalar_type() == kByte ? at::ne(self, 0).to(kByte) : at::ne(self, 0);
  }
  return keepdim ? result : result.reshape(shape_from_dim_mask(self, mask, /*keepdim=*/false));
}

Tensor& copy_into(const Tensor& value, Tensor& result) {
  resize_output(result, value.sizes());
  return result.copy_(value);
}

}  // namespace

TORCH_IMPL_FUNC(any_out)(const Tensor& self, int64_t dim, bool keepdim, const Tensor& result) {
  fold_logic(or_stub, self, dim, keepdim, result, false);
}

TORCH_IMPL_FUNC(any_dims_out)(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                              const Tensor& result) {
  fold_logic(or_stub, self, dim, keepdim, result, false);
}

TORCH_IMPL_FUNC(any_all_out)(const Tensor& self, const Tensor& result) {
  fold_logic(or_stub, self, std::nullopt, false, result, false);
}

TORCH_IMPL_FUNC(all_out)(const Tensor& self, int64_t dim, bool keepdim, const Tensor& result) {
  fold_logic(and_stub, self, dim, keepdim, result, true);
}

TORCH_IMPL_FUNC(all_dims_out)(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                              const Tensor& result) {
  fold_logic(and_stub, self, dim, keepdim, result, true);
}

TORCH_IMPL_FUNC(all_all_out)(const Tensor& self, const Tensor& result) {
  fold_logic(and_stub, self, std::nullopt, false, result, true);
}

Tensor any_dims_default(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return fold_dims(self, dim, keepdim,
                   [](const Tensor& t, int64_t d) { return at::any(t, d, /*keepdim=*/true); });
}

Tensor& any_dims_out_default(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, Tensor& result) {
  return copy_into(any_dims_default(self, dim, keepdim), result);
}

Tensor all_dims_default(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return fold_dims(self, dim, keepdim,
                   [](const Tensor& t, int64_t d) { return at::all(t, d, /*keepdim=*/true); });
}

Tensor& all_dims_out_default(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, Tensor& result) {
  return copy_into(all_dims_default(self, dim, keepdim), result);
}

Tensor _is_all_true(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() == kBool, "_is_all_true: expected a tensor of bool, got ",
              self.scalar_type());
  return self.all();
}

Tensor _is_any_true(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() == kBool, "_is_any_true: expected a tensor of bool, got ",
              self.scalar_type());
  return self.any();
}

}  // namespace at::native
