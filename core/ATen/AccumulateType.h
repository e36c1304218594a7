// at::acc_type<T, is_cuda>: the type in which sums over many elements of a dtype are accumulated. Wider on
// the CPU than on a GPU, where double is slow.
#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <type_traits>

namespace at::inline C10_ABI {

template <typename T, bool is_cuda>
struct AccumulateType {
  using type = std::conditional_t<std::is_same_v<T, bool>, bool, int64_t>;
};
template <bool is_cuda>
struct AccumulateType<c10::Half, is_cuda> {
  using type = float;
};
template <bool is_cuda>
struct AccumulateType<c10::BFloat16, is_cuda> {
  using type = float;
};
template <bool is_cuda>
struct AccumulateType<float, is_cuda> {
  using type = std::conditional_t<is_cuda, float, double>;
};
template <bool is_cuda>
struct AccumulateType<double, is_cuda> {
  using type = double;
};
template <bool is_cuda>
struct AccumulateType<c10::complex<float>, is_cuda> {
  using type = std::conditional_t<is_cuda, c10::complex<float>, c10::complex<double>>;
};
template <bool is_cuda>
struct AccumulateType<c10::complex<double>, is_cuda> {
  using type = c10::complex<double>;
};

template <typename T, bool is_cuda>
using acc_type = typename AccumulateType<T, is_cuda>::type;
template <typename T, c10::DeviceType device>
using acc_type_device = acc_type<T, device == c10::DeviceType::CUDA>;

constexpr c10::ScalarType toAccumulateType(c10::ScalarType dtype, bool is_cuda) {
  using c10::ScalarType;
  switch (dtype) {
    case ScalarType::Half:
    case ScalarType::BFloat16:
      return ScalarType::Float;
    case ScalarType::Float:
      return is_cuda ? ScalarType::Float : ScalarType::Double;
    case ScalarType::ComplexFloat:
      return is_cuda ? ScalarType::ComplexFloat : ScalarType::ComplexDouble;
    case ScalarType::Double:
    case ScalarType::ComplexDouble:
    case ScalarType::Bool:
      return dtype;
    default:
      return ScalarType::Long;
  }
}

}  // namespace at::inline C10_ABI
