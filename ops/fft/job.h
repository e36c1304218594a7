// The description of a Fourier transform along one dimension, for all devices: the layout of its lines, the
// plan of their transform, and the steps before and after. A real line of even length is transformed as a
// complex one of half the length, whose halves are combined.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/fft/plan.h>
#include <c10/util/safe_numerics.h>

#include <algorithm>

namespace at::native {

/// The layout of a line's points, in real elements: point j has its real part at j * step and its imaginary
/// part `imaginary` further, or none.
struct FftLineLayout {
  static constexpr int64_t none = -1;

  int64_t points, step, imaginary;

  C10_HOST_DEVICE bool is_real() const { return imaginary == none; }
};

enum class FftKind {
  Complex,
  JoinedAfter,   // real lines of even length, forward
  JoinedBefore,  // backward
  Mirrored,      // Hermitian lines of odd length, backward: the second half is made first
};

template <class T>
struct FftJob {
  const T* in;
  T* out;
  FftLineLayout in_line, out_line;
  int64_t followers;  // points in the output that are conjugates of earlier ones
  FftKind kind;
  bool forward;
  T scale;
  std::shared_ptr<const FftPlan<T>> plan;
  // The other dimensions, those with small strides in the input first; strides in real elements.
  DimVector sizes, in_strides, out_strides;
  int64_t lines = 1;

  /// The size of a line's buffer, in points.
  int64_t rows() const { return std::max(plan->buffer_size(), std::max(in_line.points, out_line.points)); }
};

namespace fft_detail {

// `in_parts` and `out_parts`: real elements per element.
template <class T>
FftJob<T> job_along(const TensorBase& out, const TensorBase& in, int64_t dim, int64_t in_parts,
                    int64_t out_parts, double scale) {
  FftJob<T> job{};
  job.in = static_cast<const T*>(in.const_data_ptr());
  job.out = static_cast<T*>(out.mutable_data_ptr());
  job.scale = static_cast<T>(scale);
  DimVector order;
  for (int64_t d = in.dim() - 1; d >= 0; --d) {
    if (d != dim) order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return in.strides()[a] < in.strides()[b]; });
  for (const int64_t d : order) {
    job.sizes.push_back(in.sizes()[d]);
    job.in_strides.push_back(c10::wrapping_mul(in.strides()[d], in_parts));
    job.out_strides.push_back(c10::wrapping_mul(out.strides()[d], out_parts));
    job.lines *= in.sizes()[d];
  }
  return job;
}

inline FftLineLayout complex_line(const TensorBase& t, int64_t dim, int64_t points) {
  return {points, c10::wrapping_mul(2, t.strides()[dim]), 1};
}

// For a real line of even length, a point is a pair of its elements.
inline FftLineLayout real_line(const TensorBase& t, int64_t dim) {
  const int64_t n = t.sizes()[dim], stride = t.strides()[dim];
  if (n % 2 == 0) return {n / 2, c10::wrapping_mul(2, stride), stride};
  return {n, stride, FftLineLayout::none};
}

}  // namespace fft_detail

template <class T>
FftJob<T> fft_c2c_job(const TensorBase& out, const TensorBase& in, int64_t dim, bool forward, double scale) {
  const int64_t n = in.sizes()[dim];
  auto job = fft_detail::job_along<T>(out, in, dim, 2, 2, scale);
  job.in_line = fft_detail::complex_line(in, dim, n);
  job.out_line = fft_detail::complex_line(out, dim, n);
  job.kind = FftKind::Complex;
  job.forward = forward;
  job.plan = fft_plan<T>(n);
  return job;
}

template <class T>
FftJob<T> fft_r2c_job(const TensorBase& out, const TensorBase& in, int64_t dim, double scale) {
  const int64_t n = in.sizes()[dim];
  auto job = fft_detail::job_along<T>(out, in, dim, 1, 2, scale);
  job.in_line = fft_detail::real_line(in, dim);
  job.out_line = fft_detail::complex_line(out, dim, n / 2 + 1);
  job.followers = out.sizes()[dim] - job.out_line.points;
  job.kind = n % 2 == 0 ? FftKind::JoinedAfter : FftKind::Complex;
  job.forward = true;
  job.plan = fft_plan<T>(n % 2 == 0 ? n / 2 : n);
  return job;
}

template <class T>
FftJob<T> fft_c2r_job(const TensorBase& out, const TensorBase& in, int64_t dim, double scale) {
  const int64_t n = out.sizes()[dim];
  auto job = fft_detail::job_along<T>(out, in, dim, 2, 1, scale);
  job.in_line = fft_detail::complex_line(in, dim, n / 2 + 1);
  job.out_line = fft_detail::real_line(out, dim);
  job.kind = n % 2 == 0 ? FftKind::JoinedBefore : FftKind::Mirrored;
  job.forward = false;
  job.plan = fft_plan<T>(n % 2 == 0 ? n / 2 : n);
  return job;
}

}  // namespace at::native
