// masked_scatter: consecutive elements of source, stored where the mask is true; and the gradients of masked
// selection.
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/masked_scatter.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>
#include <c10/util/safe_numerics.h>

#include <ATen/ops/any.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/item.h>
#include <ATen/ops/masked_scatter.h>
#include <ATen/ops/masked_scatter_backward_native.h>
#include <ATen/ops/masked_scatter_native.h>
#include <ATen/ops/masked_select.h>
#include <ATen/ops/masked_select_backward_native.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/view.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

namespace at::native {

DEFINE_DISPATCH(masked_scatter_stub);

Tensor masked_scatter_mask(const Tensor& self, const Tensor& mask, const Tensor& source) {
  TORCH_CHECK(self.scalar_type() == source.scalar_type(),
              "masked_scatter: expected self and source to have same dtypes but got ", self.scalar_type(),
              " and ", source.scalar_type());
  TORCH_CHECK(mask.scalar_type() == kBool,
              "masked_scatter_ only supports boolean masks, but got mask with dtype ", mask.scalar_type());
  at::assert_no_internal_overlap(self);
  at::assert_no_overlap(self, source);
  at::assert_no_partial_overlap(self, mask);
  return *expand_inplace(self, mask, "masked_scatter_");
}

Tensor& masked_scatter__meta(Tensor& self, const Tensor& mask, const Tensor& source) {
  masked_scatter_mask(self, mask, source);
  return self;
}

Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  const auto [where, expanded] = expand_outplace(mask, self);
  return expanded->clone(MemoryFormat::Contiguous).masked_scatter_(*where, source);
}

// -------------------- gradients

Tensor masked_select_backward(const Tensor& grad, const Tensor& input, const Tensor& mask) {
  const DimVector size = infer_size_dimvector(input.sizes(), mask.sizes());
  const Tensor zeros = at::zeros_like(input.expand(size), grad.options());
  return zeros.masked_scatter_(mask, grad);
}

Tensor masked_scatter_backward_symint(const Tensor& grad_output, const Tensor& mask,
                                      c10::SymIntArrayRef size) {
  const IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(size);
  uint64_t numel;
  TORCH_CHECK(!c10::safe_multiplies_u64(sizes, &numel) && static_cast<int64_t>(numel) >= 0,
              "masked_scatter_backward: expected sizes of a tensor, got ", sizes);
  if (grad_output.is_meta()) return at::empty(sizes, grad_output.options());
  const Tensor taken = grad_output.masked_select(mask);
  const int64_t unused = static_cast<int64_t>(numel) - taken.numel();
  if (unused <= 0) return taken.view(sizes);
  // Elements of source that were not used have a zero gradient.
  return at::cat({taken, grad_output.new_zeros({unused})}).view(sizes);
}

}  // namespace at::native
