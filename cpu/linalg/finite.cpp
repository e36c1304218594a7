// Infinities and NaNs, with which some routines of LAPACK don't end.
#include <ATen/native/cpu/linalg/finite.h>

#include <ATen/Dispatch.h>

#include <string>

namespace at::native {

namespace {

// Times 0 these are NaN, and so is the sum.
template <class Real>
bool all_finite(const Real* numbers, int64_t n) {
  Real sum(0);
  for (int64_t i = 0; i < n; ++i) sum += numbers[i] * Real(0);
  return sum == Real(0);
}

[[noreturn]] void refuse(const TensorBase& matrices, int64_t index, const char* name) {
  const std::string place = matrices.dim() == 2 ? "" : "(Batch element " + std::to_string(index) + "): ";
  TORCH_CHECK_LINALG(
      false, name, ": ", place,
      "The algorithm failed to converge because the input matrix contained non-finite values.");
}

// `is_good` gets a matrix's numbers, where a complex one is two.
template <class IsGood>
void check_each(const TensorBase& matrices, const char* name, const IsGood& is_good) {
  const int64_t parts = matrices.is_complex() ? 2 : 1;
  const int64_t size = matrices.size(-2) * matrices.size(-1) * parts;
  AT_DISPATCH_FLOATING_TYPES(c10::toRealValueType(matrices.scalar_type()), "check_finite", [&] {
    const auto* data = static_cast<const scalar_t*>(matrices.const_data_ptr());
    const int64_t count = size == 0 ? 0 : matrices.numel() * parts / size;
    for (int64_t i = 0; i < count; ++i) {
      if (!is_good(data + i * size, size, parts)) refuse(matrices, i, name);
    }
  });
}

}  // namespace

void check_finite(const TensorBase& matrices, const char* name) {
  check_each(matrices, name,
             [](const auto* numbers, int64_t size, int64_t /*parts*/) { return all_finite(numbers, size); });
}

void check_finite_triangle(const TensorBase& matrices, bool upper, const char* name) {
  const int64_t n = matrices.size(-1);
  check_each(matrices, name, [&](const auto* numbers, int64_t /*size*/, int64_t parts) {
    for (int64_t column = 0; column < n; ++column) {
      const int64_t first = upper ? 0 : column, last = upper ? column + 1 : n;
      if (!all_finite(numbers + (column * n + first) * parts, (last - first) * parts)) return false;
    }
    return true;
  });
}

}  // namespace at::native
