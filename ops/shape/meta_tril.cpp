// Meta functions of tril and triu: self's shape, contiguous.
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/tril_meta.h>
#include <ATen/ops/triu_meta.h>

namespace at::meta {

namespace {

void check_matrix(const Tensor& self, const char* name) {
  TORCH_CHECK(self.dim() >= 2, name, ": input tensor must have at least 2 dimensions");
}

}  // namespace

TORCH_META_FUNC(tril)(const Tensor& self, int64_t) {
  check_matrix(self, "tril");
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC(triu)(const Tensor& self, int64_t) {
  check_matrix(self, "triu");
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace at::meta
