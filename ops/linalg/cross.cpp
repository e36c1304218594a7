// Cross products of vectors in space, whose three elements lie along one dimension.
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/cross_native.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/linalg_cross.h>
#include <ATen/ops/linalg_cross_meta.h>
#include <ATen/ops/linalg_cross_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sub.h>

#include <optional>

namespace at::meta {

TORCH_META_FUNC(linalg_cross)(const Tensor& self, const Tensor& other, int64_t dim) {
  TORCH_CHECK(self.dim() == other.dim(), "linalg.cross: inputs must have the same number of dimensions.");
  const int64_t d = maybe_wrap_dim(dim, self.dim(), /*wrap_scalar=*/false);
  TORCH_CHECK(self.size(d) == 3 && other.size(d) == 3, "linalg.cross: inputs dimension ", dim,
              " must have length 3. Got ", self.size(d), " and ", other.size(d));
  TORCH_CHECK(self.scalar_type() == other.scalar_type(),
              "linalg.cross: expected both inputs to have one "
              "dtype, but got ",
              self.scalar_type(), " and ", other.scalar_type());
  TORCH_CHECK_NOT_IMPLEMENTED(self.scalar_type() != kBool, "\"cross\" not implemented for 'Bool'");
  set_output_raw_strided(0, infer_size_dimvector(self.sizes(), other.sizes()), {}, self.options());
}

}  // namespace at::meta

namespace at::native {

namespace {

// The first dimension of size 3.
int64_t space(IntArrayRef sizes) {
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 3) return static_cast<int64_t>(d);
  }
  TORCH_CHECK(false, "no dimension of size 3 in input");
}

int64_t space_or(std::optional<int64_t> dim, const Tensor& self) {
  if (dim.has_value()) return *dim;
  TORCH_WARN_ONCE(
      "cross: without dim, the first dimension of size 3 is taken, which is deprecated; give dim, or use "
      "linalg.cross");
  return space(self.sizes());
}

}  // namespace

TORCH_IMPL_FUNC(linalg_cross_out)
(const Tensor& self, const Tensor& other, int64_t dim, const Tensor& out) {
  if (out.numel() == 0) return;
  at::assert_no_internal_overlap(out);
  at::assert_no_overlap(out, self);
  at::assert_no_overlap(out, other);
  const int64_t d = maybe_wrap_dim(dim, self.dim());
  const Tensor a = self.expand(out.sizes()), b = other.expand(out.sizes());
  for (int64_t i = 0; i < 3; ++i) {
    const int64_t j = (i + 1) % 3, k = (i + 2) % 3;
    Tensor element = out.select(d, i);
    at::mul_outf(a.select(d, j), b.select(d, k), element);
    element.sub_(at::mul(a.select(d, k), b.select(d, j)));
  }
}

Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim) {
  return at::linalg_cross(self, other, space_or(dim, self));
}

Tensor& cross_out(const Tensor& self, const Tensor& other, std::optional<int64_t> dim, Tensor& out) {
  return at::linalg_cross_outf(self, other, space_or(dim, self), out);
}

}  // namespace at::native
