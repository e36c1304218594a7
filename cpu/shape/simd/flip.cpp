// flip: a line of the last dimension at a time, reversed or copied.
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cpu/shape/flip.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class T>
void flip_line(T* to, const T* from, int64_t stride, int64_t n, bool flips) {
  if (!flips && stride == 1) {
    std::memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
  } else if (flips && stride == 1) {
    for (int64_t i = 0; i < n; ++i) to[i] = from[n - 1 - i];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = from[(flips ? n - 1 - i : i) * stride];
  }
}

template <class T>
void flip_lines(const TensorBase& result, const TensorBase& self, std::bitset<64> flips) {
  const IntArrayRef sizes = self.sizes(), strides = self.strides();
  const int64_t last = self.dim() - 1, n = sizes[last];
  const auto* from = static_cast<const T*>(self.const_data_ptr());
  auto* to = static_cast<T*>(result.mutable_data_ptr());
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / n);
  at::parallel_for(0, self.numel() / n, grain, [&](int64_t first, int64_t end) {
    for (int64_t line = first; line < end; ++line) {
      int64_t rest = line, offset = 0;
      for (int64_t d = last - 1; d >= 0; --d) {
        const int64_t coordinate = rest % sizes[d];
        rest /= sizes[d];
        offset += (flips[d] ? sizes[d] - 1 - coordinate : coordinate) * strides[d];
      }
      flip_line(to + line * n, from + offset, strides[last], n, flips[last]);
    }
  });
}

void flip_kernel(const TensorBase& result, const TensorBase& self, std::bitset<64> flips) {
  with_opaque_type(self.itemsize(), [&](auto type) { flip_lines<decltype(type)>(result, self, flips); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(flip_stub, &flip_kernel)

}  // namespace at::native
