// equal on the CPU.

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/native/cpu/ContiguousKernels.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/equal_native.h>
#include <ATen/ops/to.h>

#include <algorithm>
#include <atomic>

namespace at::native {

DEFINE_DISPATCH(equal_stub);

bool cpu_equal(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.device() == other.device(),
              "Cannot compare two tensors on different devices. Got: ", self.device(), " and ",
              other.device());
  if (self.sizes() != other.sizes()) return false;
  if (self.numel() == 0) return true;
  const ScalarType dtype = promoted_type(self, other);
  const Tensor a = self.to(dtype).contiguous();
  const Tensor b = other.to(dtype).contiguous();

  constexpr int64_t grain = 131072;
  const auto itemsize = static_cast<int64_t>(a.itemsize());
  const char* a_data = static_cast<const char*>(a.const_data_ptr());
  const char* b_data = static_cast<const char*>(b.const_data_ptr());
  std::atomic<bool> equal{true};
  at::parallel_for(0, a.numel(), grain, [&](int64_t first, int64_t last) {
    // In pieces, so that a difference found by one thread soon stops the others.
    for (int64_t i = first; i < last && equal.load(std::memory_order_relaxed); i += grain) {
      const int64_t n = std::min(grain, last - i);
      if (!equal_stub(kCPU, a_data + i * itemsize, b_data + i * itemsize, dtype, n)) {
        equal.store(false, std::memory_order_relaxed);
      }
    }
  });
  return equal.load(std::memory_order_relaxed);
}

}  // namespace at::native
