// What index_select does on every device, around the device's kernel; and index_select by the kernel of
// index.
#include <ATen/native/indexing/index_select.h>

#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select_native.h>
#include <ATen/ops/to.h>

namespace at::native {

DEFINE_DISPATCH(index_select_stub);

namespace {

void check_index_select(const Tensor& self, const Tensor& index, const Tensor& result) {
  TORCH_CHECK_INDEX(index.dim() <= 1, "index_select(): Index is supposed to be a vector");
  TORCH_CHECK(self.scalar_type() == result.scalar_type(),
              "index_select(): self and result must have the same scalar type");
  TORCH_CHECK(self.dim() > 0 || index.numel() == 1,
              "index_select(): Index to scalar can have only 1 value, got ", index.numel(), " value(s)");
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  at::assert_no_overlap(result, index);
}

// 0-dim tensors as one-dimensional ones of one element.
TensorBase at_least_1d(const TensorBase& t) {
  if (t.dim() > 0) return t;
  const int64_t one = 1;
  return at::detail::make_view(t, IntArrayRef(one), IntArrayRef(one), t.storage_offset());
}

// result = self at `positions` along dim; the positions are expanded to result's shape.
void take(const char* op, const TensorBase& result, const TensorBase& self, int64_t dim,
          const TensorBase& positions) {
  DimVector strides(self.strides().begin(), self.strides().end());
  strides[dim] = 0;
  const TensorBase src = at::detail::make_view(self, result.sizes(), strides, self.storage_offset());
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .resize_outputs(false)
      .add_output(result)
      .add_const_input(src)
      .add_const_input(positions);
  auto iter = config.build();
  const int64_t size = self.sizes()[dim];
  const int64_t stride = self.strides()[dim] * static_cast<int64_t>(self.itemsize());
  index_stub(iter.device_type(), iter, IntArrayRef(size), IntArrayRef(stride), op);
}

}  // namespace

void gather_by_index(const TensorBase& result, const TensorBase& self, int64_t dim, const TensorBase& index) {
  const Tensor positions = Tensor(index).to(kLong);
  take("gather", at_least_1d(result), at_least_1d(self), dim, at_least_1d(positions));
}

void index_select_by_index(const TensorBase& result, const TensorBase& self, int64_t dim,
                           const TensorBase& index) {
  const TensorBase source = at_least_1d(self), target = at_least_1d(result);
  TORCH_CHECK_INDEX(source.sizes()[dim] > 0, "index out of range in self");
  const Tensor positions = Tensor(index).to(kLong);
  DimVector strides(target.sizes().size(), 0);
  strides[dim] = positions.dim() == 0 ? 0 : positions.strides()[0];
  take("index_select", target, source, dim,
       at::detail::make_view(positions, target.sizes(), strides, positions.storage_offset()));
}

void check_indices(const TensorBase& index, int64_t size) {
  const Tensor host = Tensor(index).to(Device(kCPU), kLong).contiguous();
  const auto* data = host.const_data_ptr<int64_t>();
  for (int64_t i = 0; i < host.numel(); ++i) {
    TORCH_CHECK_INDEX(data[i] >= 0 && data[i] < size, "index out of range in self");
  }
}

Tensor& index_select_by_stub(const Tensor& self, int64_t dim, const Tensor& index, Tensor& result) {
  dim = maybe_wrap_dim(dim, self.dim());
  check_index_select(self, index, result);
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  if (!sizes.empty()) sizes[dim] = index.numel();
  resize_output(result, sizes);
  if (result.numel() == 0) {
    // Nothing to copy, but indices are still checked.
    check_indices(index, self.dim() == 0 ? 1 : self.sizes()[dim]);
  } else {
    index_select_stub(self.device().type(), result, self, dim, index);
  }
  return result;
}

Tensor index_select_by_stub(const Tensor& self, int64_t dim, const Tensor& index) {
  Tensor result = at::empty({0}, self.options());
  return index_select_by_stub(self, dim, index, result);
}

}  // namespace at::native
