// cummax and cummin on CUDA, for contiguous tensors.
#include <ATen/Dispatch_v2.h>
#include <ATen/NumericUtils.h>
#include <ATen/OpMathType.h>
#include <ATen/native/scan/stubs.h>
#include <ATen/native/cuda/scan/dense_scan.cuh>

namespace at::native {
namespace cummax_cuda {

template <class T>
struct Extremum {
  T value;
  int64_t place;  // -1: no element yet
};

// Of equal extrema the last one; a NaN is kept until the next one.
template <class T>
struct RunningExtremum : scan_cuda::Dense {
  using Value = at::opmath_type<T>;  // holds T's values exactly
  using State = Extremum<Value>;
  const T* in;
  T* values;
  int64_t* indices;
  bool largest;

  RunningExtremum(const Lines& lines, const TensorBase& self, const TensorBase& values,
                  const TensorBase& indices, bool largest)
      : Dense(lines),
        in(self.const_data_ptr<T>()),
        values(values.mutable_data_ptr<T>()),
        indices(indices.mutable_data_ptr<int64_t>()),
        largest(largest) {}
  __device__ State identity() const { return {Value(0), -1}; }
  __device__ State combine(const State& earlier, const State& later) const {
    if (earlier.place < 0) return later;
    if (later.place < 0) return earlier;
    if (at::_isnan(later.value)) return later;
    if (at::_isnan(earlier.value)) return earlier;
    const bool ahead = largest ? later.value >= earlier.value : later.value <= earlier.value;
    return ahead ? later : earlier;
  }
  __device__ State load(int64_t line, int64_t i) const {
    return {static_cast<Value>(c10::load<T>(in + at(line, i))), i};
  }
  __device__ void store(int64_t line, int64_t i, const State& state) const {
    values[at(line, i)] = static_cast<T>(state.value);
    indices[at(line, i)] = state.place;
  }
};

void cummax_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self, int64_t dim,
                   bool largest) {
  const Lines lines(self, dim);
  AT_DISPATCH_V2(self.scalar_type(), largest ? "cummax_cuda" : "cummin_cuda", AT_WRAP([&] {
                   scan_cuda::scan_dense(lines,
                                         RunningExtremum<scalar_t>(lines, self, values, indices, largest));
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kBool, kHalf, kBFloat16);
}

}  // namespace cummax_cuda

REGISTER_CUDA_DISPATCH(cummax_stub, &cummax_cuda::cummax_kernel)

}  // namespace at::native
