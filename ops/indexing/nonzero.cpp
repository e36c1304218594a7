// What nonzero and masked_select do on every device: count, allocate, write.
#include <ATen/native/indexing/nonzero.h>

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/core/TensorImpl.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/masked_select_native.h>
#include <ATen/ops/nonzero_native.h>

namespace at::native {

DEFINE_DISPATCH(find_nonzero_stub);
DEFINE_DISPATCH(write_nonzero_stub);
DEFINE_DISPATCH(select_nonzero_stub);

namespace {

void write(const NonzeroElements& found, const Tensor& self, const Tensor& result) {
  if (found.count == 0 || self.dim() == 0) return;
  write_nonzero_stub(self.device().type(), found, self, result);
}

}  // namespace

// One row per element found. The columns are contiguous: x[mask] uses them one by one.
Tensor nonzero_by_stub(const Tensor& self) {
  const Tensor input = self.contiguous();
  const NonzeroElements found = find_nonzero_stub(input.device().type(), input);
  Tensor result = at::empty_strided({found.count, self.dim()}, {1, found.count}, self.options().dtype(kLong));
  write(found, input, result);
  return result;
}

Tensor& nonzero_by_stub(const Tensor& self, Tensor& result) {
  TORCH_CHECK(result.scalar_type() == kLong,
              "nonzero: Expected out tensor to have scalar type Long but got scalar type ",
              result.scalar_type());
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  const Tensor input = self.contiguous();
  const NonzeroElements found = find_nonzero_stub(input.device().type(), input);
  if (resize_output(result, {found.count, self.dim()})) {
    result.unsafeGetTensorImpl()->set_sizes_and_strides({found.count, self.dim()}, {1, found.count});
  }
  write(found, input, result);
  return result;
}

// -------------------- masked_select

Tensor& masked_select_by_stub(const Tensor& self, const Tensor& mask, Tensor& result) {
  TORCH_CHECK(mask.scalar_type() == kBool, "masked_select: expected BoolTensor for mask");
  TORCH_CHECK(self.scalar_type() == result.scalar_type(),
              "masked_select(): self and result must have the same scalar type");
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  at::assert_no_overlap(result, mask);
  const DimVector size = infer_size_dimvector(self.sizes(), mask.sizes());
  const Tensor input = self.expand(size).contiguous();
  const Tensor flags = mask.expand(size).contiguous();
  const NonzeroElements found = find_nonzero_stub(flags.device().type(), flags);
  resize_output(result, {found.count});
  if (found.count == 0) return result;
  const Tensor dense = result.is_contiguous() ? result : at::empty({found.count}, result.options());
  select_nonzero_stub(input.device().type(), found, input, flags, dense);
  if (!dense.is_same(result)) result.copy_(dense);
  return result;
}

Tensor masked_select_by_stub(const Tensor& self, const Tensor& mask) {
  Tensor result = at::empty({0}, self.options());
  return masked_select_by_stub(self, mask, result);
}

}  // namespace at::native
