// cummax and cummin around the devices' kernel.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/scan/stubs.h>

#include <ATen/ops/_cummax_helper.h>
#include <ATen/ops/_cummax_helper_native.h>
#include <ATen/ops/_cummin_helper.h>
#include <ATen/ops/_cummin_helper_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/cummax_native.h>
#include <ATen/ops/cummaxmin_backward_native.h>
#include <ATen/ops/cummin_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/scatter_add.h>
#include <ATen/ops/zero.h>
#include <ATen/ops/zeros_like.h>

#include <tuple>
#include <utility>

namespace at::native {

DEFINE_DISPATCH(cummax_stub);

namespace {

void scan_extremum(const Tensor& self, const Tensor& values, const Tensor& indices, int64_t dim,
                   bool largest) {
  if (values.is_meta() || self.numel() == 0) return;
  TORCH_CHECK(values.sizes() == self.sizes() && indices.sizes() == self.sizes() &&
                  values.scalar_type() == self.scalar_type() && indices.scalar_type() == kLong,
              largest ? "_cummax_helper" : "_cummin_helper",
              "(): expected values and indices of self's shape, of its dtype and int64");
  if (self.dim() == 0) {
    const_cast<Tensor&>(values).copy_(self);
    indices.zero_();
    return;
  }
  const Tensor source = self.contiguous();
  const Tensor found = at::empty_like(source), places = at::empty_like(source, source.options().dtype(kLong));
  cummax_stub(self.device().type(), found, places, source, maybe_wrap_dim(dim, self.dim()), largest);
  const_cast<Tensor&>(values).copy_(found);
  const_cast<Tensor&>(indices).copy_(places);
}

void prepare(const char* name, const Tensor& self, int64_t dim, Tensor& values, Tensor& indices) {
  maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(values.scalar_type() == self.scalar_type(), name, "(): expected values of dtype ",
              self.scalar_type(), ", but got ", values.scalar_type());
  TORCH_CHECK(indices.scalar_type() == kLong, name, "(): expected indices of dtype Long, but got ",
              indices.scalar_type());
  resize_output(values, self.sizes());
  resize_output(indices, self.sizes());
}

}  // namespace

void cummax_helper(const Tensor& self, Tensor& values, Tensor& indices, int64_t dim) {
  scan_extremum(self, values, indices, dim, /*largest=*/true);
}

void cummin_helper(const Tensor& self, Tensor& values, Tensor& indices, int64_t dim) {
  scan_extremum(self, values, indices, dim, /*largest=*/false);
}

std::tuple<Tensor&, Tensor&> cummax_out(const Tensor& self, int64_t dim, Tensor& values, Tensor& indices) {
  prepare("cummax", self, dim, values, indices);
  at::_cummax_helper(self, values, indices, dim);
  return {values, indices};
}

std::tuple<Tensor&, Tensor&> cummin_out(const Tensor& self, int64_t dim, Tensor& values, Tensor& indices) {
  prepare("cummin", self, dim, values, indices);
  at::_cummin_helper(self, values, indices, dim);
  return {values, indices};
}

std::tuple<Tensor, Tensor> cummax(const Tensor& self, int64_t dim) {
  Tensor values = at::empty(self.sizes(), self.options());
  Tensor indices = at::empty(self.sizes(), self.options().dtype(kLong));
  cummax_out(self, dim, values, indices);
  return {std::move(values), std::move(indices)};
}

std::tuple<Tensor, Tensor> cummin(const Tensor& self, int64_t dim) {
  Tensor values = at::empty(self.sizes(), self.options());
  Tensor indices = at::empty(self.sizes(), self.options().dtype(kLong));
  cummin_out(self, dim, values, indices);
  return {std::move(values), std::move(indices)};
}

// Each gradient goes to the position of its extremum.
Tensor cummaxmin_backward(const Tensor& grad, const Tensor& input, const Tensor& indices, int64_t dim) {
  if (input.numel() == 0) return input;
  return at::zeros_like(input, MemoryFormat::Contiguous).scatter_add(dim, indices, grad);
}

}  // namespace at::native
