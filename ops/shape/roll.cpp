// roll, rot90, fliplr and flipud.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/fliplr_native.h>
#include <ATen/ops/flipud_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/roll_native.h>
#include <ATen/ops/rot90_native.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/view.h>

namespace at::native {

namespace {

Tensor rolled(const Tensor& self, int64_t shift, int64_t dim) {
  const int64_t size = self.size(dim);
  const int64_t start = ((-(shift % size)) % size + size) % size;
  return at::cat({self.narrow(dim, start, size - start), self.narrow(dim, 0, start)}, dim);
}

}  // namespace

Tensor roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims) {
  TORCH_CHECK(!shifts.empty(), "roll(): `shifts` required");
  if (dims.empty() && shifts.size() == 1) {
    const Tensor flat = self.contiguous().view({-1});
    return self.numel() == 0 ? self.clone() : rolled(flat, shifts[0], 0).view(self.sizes());
  }
  TORCH_CHECK(shifts.size() == dims.size(),
              "roll(): shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
  for (const int64_t dim : dims) maybe_wrap_dim(dim, self.dim(), /*wrap_scalar=*/false);
  if (self.numel() == 0) return self.clone();
  Tensor result = self;
  for (size_t i = 0; i < dims.size(); ++i) {
    result = rolled(result, shifts[i], maybe_wrap_dim(dims[i], self.dim()));
  }
  return result.is_same(self) ? self.clone() : result;
}

Tensor rot90(const Tensor& self, int64_t k, IntArrayRef dims) {
  TORCH_CHECK(dims.size() == 2, "rot90(): expected total rotation dims == 2, but got dims = ", dims.size());
  TORCH_CHECK(self.dim() >= 2, "rot90(): expected total dims >= 2, but got total dims = ", self.dim());
  const int64_t from = maybe_wrap_dim(dims[0], self.dim()), to = maybe_wrap_dim(dims[1], self.dim());
  TORCH_CHECK(from != to, "rot90(): expected rotation dims to be different, but got dim0 = ", dims[0],
              " and dim1 = ", dims[1]);
  switch ((4 + k % 4) % 4) {
    case 1:
      return self.flip({to}).transpose(from, to);
    case 2:
      return self.flip({from, to});
    case 3:
      return self.flip({from}).transpose(from, to);
    default:
      return self.clone(MemoryFormat::Contiguous);
  }
}

Tensor fliplr(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 2, "fliplr(): Input must be >= 2-d.");
  return self.flip({1});
}

Tensor flipud(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 1, "flipud(): Input must be >= 1-d.");
  return self.flip({0});
}

}  // namespace at::native
