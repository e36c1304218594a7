// masked_scatter_ on CUDA, by other operators.
#include <ATen/core/Tensor.h>
#include <ATen/native/indexing/masked_scatter.h>

#include <ATen/ops/any.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/item.h>
#include <ATen/ops/masked_scatter_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/view.h>
#include <ATen/ops/where.h>

namespace at::native {

// The number of true elements before a position is the index of its source element.
Tensor& masked_scatter__cuda(Tensor& self, const Tensor& mask, const Tensor& source) {
  const Tensor where = masked_scatter_mask(self, mask, source);
  if (self.numel() == 0) return self;
  if (source.numel() == 0) {
    TORCH_CHECK(!at::any(where).item().toBool(),
                "masked_scatter: expected self and source to have same number of elements: source has none");
    return self;
  }
  const Tensor ranks = at::clamp(at::sub(at::cumsum(where.reshape({-1}), 0), 1), 0);
  const Tensor taken = source.reshape({-1}).index_select(0, ranks).view(self.sizes());
  return self.copy_(at::where(where, taken, self));
}

}  // namespace at::native
