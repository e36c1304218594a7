// repeat and tile: copies of a tensor side by side along its dimensions.
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/repeat.h>
#include <ATen/ops/repeat_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/tile_native.h>
#include <ATen/ops/view.h>

namespace at::native {

Tensor repeat(const Tensor& self, IntArrayRef repeats) {
  const auto extra = static_cast<int64_t>(repeats.size()) - self.dim();
  TORCH_CHECK(extra >= 0,
              "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: ",
              repeats.size(), " for ", self.dim(), " dimensions");
  // Each dimension of the result as two: which copy, and which element of it.
  DimVector sizes, copies, source;
  for (size_t d = 0; d < repeats.size(); ++d) {
    const int64_t size = static_cast<int64_t>(d) < extra ? 1 : self.sizes()[d - extra];
    int64_t repeated;
    TORCH_CHECK(!__builtin_mul_overflow(size, repeats[d], &repeated), "repeat(): the size of dimension ", d,
                " overflows: ", size, " times ", repeats[d]);
    TORCH_CHECK(repeats[d] >= 0, "repeat(): Trying to create tensor with negative dimension ", repeated,
                ": dimension ", d, " is repeated ", repeats[d], " times");
    sizes.push_back(repeated);
    copies.append({repeats[d], size});
    source.append({1, size});
  }
  Tensor result = at::empty(sizes, self.options());
  if (result.numel() > 0) result.view(copies).copy_(self.reshape(source).expand(copies));
  return result;
}

// Fewer repetitions than dimensions apply to the last ones.
Tensor tile_symint(const Tensor& self, c10::SymIntArrayRef dims) {
  const IntArrayRef given = C10_AS_INTARRAYREF_SLOW(dims);
  const auto missing = self.dim() - static_cast<int64_t>(given.size());
  if (missing <= 0) return self.repeat(given);
  DimVector repeats(missing, 1);
  repeats.append(given.begin(), given.end());
  return self.repeat(repeats);
}

}  // namespace at::native
