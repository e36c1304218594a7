// equal on CUDA.
#include <ATen/core/Tensor.h>

#include <ATen/ops/all.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/equal_native.h>
#include <ATen/ops/item.h>

namespace at::native {

bool cuda_equal(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.device() == other.device(),
              "Cannot compare two tensors on different devices. Got: ", self.device(), " and ",
              other.device());
  if (self.sizes() != other.sizes()) return false;
  if (self.numel() == 0) return true;
  return at::eq(self, other).all().item().toBool();
}

}  // namespace at::native
