// gather and index_select on CUDA, on top of the kernels that index and fill.
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/IndexKernel.h>
#include <ATen/native/Resize.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/index_select_native.h>
#include <ATen/ops/to.h>

namespace at::native {

namespace {

// result = self at `positions` along dim, the positions having been given result's shape by strides.
void take(const TensorBase& result, const TensorBase& self, int64_t dim, const TensorBase& positions) {
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
  index_stub(kCUDA, iter, IntArrayRef(size), IntArrayRef(stride));
}

// Tensors without dimensions as ones of one element.
TensorBase at_least_1d(const TensorBase& t) {
  if (t.dim() > 0) return t;
  const int64_t one = 1;
  return at::detail::make_view(t, IntArrayRef(one), IntArrayRef(one), t.storage_offset());
}

void gather_kernel_cuda(const TensorBase& result, const TensorBase& self, int64_t dim,
                        const TensorBase& index) {
  const TensorBase positions = static_cast<const Tensor&>(index).to(kLong);
  take(at_least_1d(result), at_least_1d(self), dim, at_least_1d(positions));
}

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

}  // namespace

REGISTER_CUDA_DISPATCH(gather_stub, &gather_kernel_cuda)

// -------------------- index_select

Tensor& index_select_out_cuda(const Tensor& self, int64_t dim, const Tensor& index, Tensor& result) {
  dim = maybe_wrap_dim(dim, self.dim());
  check_index_select(self, index, result);
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  if (!sizes.empty()) sizes[dim] = index.numel();
  resize_output(result, sizes);
  if (result.numel() == 0) return result;
  const TensorBase source = at_least_1d(self), target = at_least_1d(result);
  TORCH_CHECK_INDEX(source.sizes()[dim] > 0, "index out of range in self");
  const Tensor positions = index.to(kLong);
  DimVector strides(target.sizes().size(), 0);
  strides[dim] = positions.dim() == 0 ? 0 : positions.strides()[0];
  take(target, source, dim,
       at::detail::make_view(positions, target.sizes(), strides, positions.storage_offset()));
  return result;
}

Tensor index_select_cuda(const Tensor& self, int64_t dim, const Tensor& index) {
  Tensor result = at::empty({0}, self.options());
  return index_select_out_cuda(self, dim, index, result);
}

}  // namespace at::native
