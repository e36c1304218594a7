// tril and triu on the CPU: each row is a copied run and a zero run.
#include <ATen/native/shape/stubs.h>

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>

#include <algorithm>
#include <cstring>

namespace at::native {

namespace {

void triangle_kernel(const TensorBase& result, const TensorBase& self, int64_t diagonal, bool upper) {
  const int64_t rows = self.size(-2), columns = self.size(-1);
  const auto itemsize = static_cast<int64_t>(self.itemsize());
  const auto* from = static_cast<const char*>(self.const_data_ptr());
  auto* to = static_cast<char*>(result.mutable_data_ptr());
  const int64_t k = std::clamp(diagonal, -rows, columns);
  const auto copy = [&](int64_t begin, int64_t end) {
    if (to != from) std::memcpy(to + begin * itemsize, from + begin * itemsize, (end - begin) * itemsize);
  };
  const auto clear = [&](int64_t begin, int64_t end) {
    std::memset(to + begin * itemsize, 0, (end - begin) * itemsize);
  };
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / columns);
  at::parallel_for(0, self.numel() / columns, grain, [&](int64_t first, int64_t last) {
    for (int64_t line = first; line < last; ++line) {
      const int64_t begin = line * columns, end = begin + columns;
      // Where the diagonal crosses the row: its first element (upper) or the one after its last.
      const int64_t crossing = begin + std::clamp<int64_t>(line % rows + k + !upper, 0, columns);
      upper ? clear(begin, crossing) : copy(begin, crossing);
      upper ? copy(crossing, end) : clear(crossing, end);
    }
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(triangle_stub, &triangle_kernel)

}  // namespace at::native
