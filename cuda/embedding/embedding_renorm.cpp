// embedding_renorm_ on CUDA. Indices are checked before the kernel uses them, which synchronizes the device.
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/embedding/embedding_renorm.h>
#include <ATen/native/embedding/checks.h>

#include <ATen/ops/any.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/embedding_renorm_native.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/item.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

namespace at::native {

Tensor& embedding_renorm_cuda_(Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  check_embedding_renorm(self, indices);
  at::assert_no_internal_overlap(self);
  if (indices.numel() == 0) return self;
  const Tensor rows = indices.to(kLong).contiguous();
  const bool bad = at::logical_or(rows.lt(0), rows.ge(self.size(0))).any().item<bool>();
  TORCH_CHECK_INDEX(!bad, "embedding_renorm_: an index is out of range for 'self' of ", self.size(0),
                    " rows");
  const Tensor table = self.contiguous();
  renorm_rows_on_device(table, rows, max_norm, norm_type,
                        at::zeros({self.size(0)}, self.options().dtype(kInt)));
  if (!table.is_same(self)) self.copy_(table);
  return self;
}

}  // namespace at::native
