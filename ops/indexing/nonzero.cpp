// nonzero and masked_select on CUDA.
#include <ATen/native/cuda/nonzero.h>

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/TensorImpl.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/masked_select_native.h>
#include <ATen/ops/nonzero_native.h>
#include <ATen/ops/view.h>

namespace at::native {

namespace {

void write(const NonzeroPositions& found, const Tensor& self, const Tensor& result) {
  if (found.count == 0 || self.dim() == 0) return;
  write_nonzero_indices(found, self.sizes(), result.mutable_data_ptr<int64_t>(), result.strides()[0],
                        result.strides()[1]);
}

}  // namespace

// One row per element found. The columns are contiguous: x[mask] takes them one by one.
Tensor nonzero_cuda(const Tensor& self) {
  const NonzeroPositions found = nonzero_positions(self.contiguous());
  Tensor result = at::empty_strided({found.count, self.dim()}, {1, found.count}, self.options().dtype(kLong));
  write(found, self, result);
  return result;
}

Tensor& nonzero_out_cuda(const Tensor& self, Tensor& result) {
  TORCH_CHECK(result.scalar_type() == kLong,
              "nonzero: Expected out tensor to have scalar type Long but got scalar type ",
              result.scalar_type());
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  const NonzeroPositions found = nonzero_positions(self.contiguous());
  if (resize_output(result, {found.count, self.dim()})) {
    result.unsafeGetTensorImpl()->set_sizes_and_strides({found.count, self.dim()}, {1, found.count});
  }
  write(found, self, result);
  return result;
}

// -------------------- masked_select

Tensor& masked_select_out_cuda(const Tensor& self, const Tensor& mask, Tensor& result) {
  TORCH_CHECK(mask.scalar_type() == kBool, "masked_select: expected BoolTensor for mask");
  TORCH_CHECK(self.scalar_type() == result.scalar_type(),
              "masked_select(): self and result must have the same scalar type");
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  at::assert_no_overlap(result, mask);
  const DimVector size = infer_size_dimvector(self.sizes(), mask.sizes());
  const Tensor input = self.expand(size).contiguous();
  const NonzeroPositions found = nonzero_positions(mask.expand(size).contiguous());
  resize_output(result, {found.count});
  if (found.count == 0) return result;
  const Tensor positions = at::empty({found.count}, self.options().dtype(kLong));
  write_nonzero_indices(found, {input.numel()}, positions.mutable_data_ptr<int64_t>(), 1, 1);
  return at::index_select_outf(input.view({input.numel()}), 0, positions, result);
}

Tensor masked_select_cuda(const Tensor& self, const Tensor& mask) {
  Tensor result = at::empty({0}, self.options());
  return masked_select_out_cuda(self, mask, result);
}

}  // namespace at::native
