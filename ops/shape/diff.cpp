// diff.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/diff.h>
#include <ATen/ops/diff_native.h>
#include <ATen/ops/logical_xor.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/sub.h>

#include <vector>

namespace at::native {

namespace {

void check_attached(const Tensor& self, const std::optional<Tensor>& other, int64_t dim) {
  if (!other || !other->defined()) return;
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(other->dim() == self.dim(),
              "diff expects prepend or append to be the same dimension as input, but got ", other->dim(),
              " dimensions and ", self.dim());
  for (int64_t d = 0; d < self.dim(); ++d) {
    TORCH_CHECK(
        d == wrapped || other->size(d) == self.size(d),
        "diff expects the shape of tensor to prepend or append to match that of input except along the "
        "differencing dimension; input.size(",
        d, ") = ", self.size(d), ", but got tensor.size(", d, ") = ", other->size(d));
  }
}

Tensor attached(const Tensor& self, int64_t dim, const std::optional<Tensor>& prepend,
                const std::optional<Tensor>& append) {
  std::vector<Tensor> parts;
  if (prepend && prepend->defined()) parts.push_back(*prepend);
  parts.push_back(self);
  if (append && append->defined()) parts.push_back(*append);
  return parts.size() == 1 ? self : at::cat(parts, dim);
}

}  // namespace

Tensor diff(const Tensor& self, int64_t n, int64_t dim, const std::optional<Tensor>& prepend,
            const std::optional<Tensor>& append) {
  TORCH_CHECK(self.dim() >= 1, "diff expects input to be at least one-dimensional");
  TORCH_CHECK(n >= 0, "diff(): order must be non-negative but got ", n);
  check_attached(self, prepend, dim);
  check_attached(self, append, dim);
  if (n == 0) return self.clone();
  Tensor result = attached(self, dim, prepend, append);
  int64_t length = result.size(dim);
  if (n >= length && length > 1) {  // nothing is left, whatever would be subtracted
    result = result.narrow(dim, 0, 1);
    length = 1;
  }
  for (; n > 0 && length > 0; --n) {
    --length;
    const Tensor left = result.narrow(dim, 0, length), right = result.narrow(dim, 1, length);
    result = self.scalar_type() == kBool ? right.logical_xor(left) : right.sub(left);
  }
  return result;
}

Tensor& diff_out(const Tensor& self, int64_t n, int64_t dim, const std::optional<Tensor>& prepend,
                 const std::optional<Tensor>& append, Tensor& out) {
  const Tensor result = at::diff(self, n, dim, prepend, append);
  TORCH_CHECK(n > 0 || result.scalar_type() == out.scalar_type(), "diff(): expected out of dtype ",
              result.scalar_type(), " for differences of order 0, but got ", out.scalar_type());
  return write_result("diff()", out, result);
}

}  // namespace at::native
