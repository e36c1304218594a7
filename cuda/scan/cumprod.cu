// cumprod, cummax, cummin and logcumsumexp on CUDA, for contiguous tensors.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/NumericUtils.h>
#include <ATen/OpMathType.h>
#include <ATen/native/Lines.h>
#include <ATen/native/scan/stubs.h>
#include <c10/core/DynamicCast.h>
#include <c10/util/complex.h>
#include <c10/util/complex_math.h>
#include <ATen/native/cuda/Scan.cuh>

#include <limits>

namespace at::native {
namespace cumprod_cuda {

// The positions of a line's elements in a contiguous tensor.
struct Dense {
  int64_t n, inner;

  explicit Dense(const Lines& lines) : n(lines.n), inner(lines.inner) {}
  __device__ int64_t line(int64_t number) const { return number / inner * n * inner + number % inner; }
  __device__ int64_t at(int64_t line, int64_t i) const { return line + i * inner; }
};

template <class T, class Combine>
struct Running : Dense {
  using State = at::acc_type<T, true>;
  const T* in;
  T* out;
  State start;
  Combine combine_states;

  Running(const Lines& lines, const TensorBase& self, const TensorBase& result, State start)
      : Dense(lines), in(self.const_data_ptr<T>()), out(result.mutable_data_ptr<T>()), start(start) {}
  __device__ State identity() const { return start; }
  __device__ State combine(State earlier, State later) const { return combine_states(earlier, later); }
  __device__ State load(int64_t line, int64_t i) const {
    return static_cast<State>(c10::load<T>(in + at(line, i)));
  }
  __device__ void store(int64_t line, int64_t i, State state) const {
    out[at(line, i)] = static_cast<T>(state);
  }
};

struct Product {
  template <class A>
  __device__ A operator()(A earlier, A later) const {
    return earlier * later;
  }
};

// log(exp(a) + exp(b))
struct LogSum {
  template <class A>
  __device__ A operator()(A a, A b) const {
    if (a != a || b != b) return std::numeric_limits<A>::quiet_NaN();
    const A high = a < b ? b : a, low = a < b ? a : b;
    if (high == low && ::isinf(high)) return high;
    return high + ::log1p(::exp(low - high));
  }
  template <class A>
  __device__ c10::complex<A> operator()(c10::complex<A> a, c10::complex<A> b) const {
    const bool swap = b.real() > a.real();
    const c10::complex<A> high = swap ? b : a, low = swap ? a : b;
    if (::isinf(low.real()) && low.real() < 0) return high;
    return high + c10::complex_math::log(c10::complex<A>(1) + c10::complex_math::exp(low - high));
  }
};

template <class T>
struct Extremum {
  T value;
  int64_t place;  // -1: no element yet
};

// Of equal extrema the last one; a NaN is kept until the next one.
template <class T>
struct RunningExtremum : Dense {
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

template <class Op>
void scan_dense(const Lines& lines, const Op& op) {
  scan_cuda::scan(lines.outer * lines.inner, lines.n, lines.inner == 1, op);
}

void cumprod_kernel(const TensorBase& result, const TensorBase& self, int64_t dim) {
  const Lines lines(self, dim);
  AT_DISPATCH_V2(self.scalar_type(), "cumprod_cuda", AT_WRAP([&] {
                   using Op = Running<scalar_t, Product>;
                   scan_dense(lines, Op(lines, self, result, typename Op::State(1)));
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

void logcumsumexp_kernel(const TensorBase& result, const TensorBase& self, int64_t dim) {
  const Lines lines(self, dim);
  AT_DISPATCH_V2(self.scalar_type(), "logcumsumexp_cuda", AT_WRAP([&] {
                   using Op = Running<scalar_t, LogSum>;
                   using Real = typename c10::scalar_value_type<typename Op::State>::type;
                   const typename Op::State nothing(-std::numeric_limits<Real>::infinity());
                   scan_dense(lines, Op(lines, self, result, nothing));
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), AT_EXPAND(AT_COMPLEX_TYPES), kHalf, kBFloat16);
}

void cumulative_extremum_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                                int64_t dim, bool largest) {
  const Lines lines(self, dim);
  AT_DISPATCH_V2(self.scalar_type(), largest ? "cummax_cuda" : "cummin_cuda", AT_WRAP([&] {
                   scan_dense(lines, RunningExtremum<scalar_t>(lines, self, values, indices, largest));
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kBool, kHalf, kBFloat16);
}

}  // namespace cumprod_cuda

REGISTER_CUDA_DISPATCH(cumprod_stub, &cumprod_cuda::cumprod_kernel)
REGISTER_CUDA_DISPATCH(logcumsumexp_stub, &cumprod_cuda::logcumsumexp_kernel)
REGISTER_CUDA_DISPATCH(cumulative_extremum_stub, &cumprod_cuda::cumulative_extremum_kernel)

}  // namespace at::native
