// Fourier transforms on CUDA, by the plans and butterflies of the CPU's: all lines are interleaved in planes
// of real and imaginary parts (point j of line l is at j * lines + l), and each pass is a launch with a
// thread per butterfly. No library is needed.
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/fft/butterflies.h>
#include <ATen/native/fft/job.h>
#include <ATen/native/fft/stubs.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/fft/lines.cuh>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace at::native {
namespace fft_cuda {

template <class T>
struct DeviceRoots {
  const T *re, *im;
};

// ---- plans on the device

template <class T>
struct DevicePlan {
  std::shared_ptr<const FftPlan<T>> host;
  std::shared_ptr<const DevicePlan> padded;
  c10::DataPtr memory;
  DeviceRoots<T> twiddles, roots, halves, chirp, kernel;
};

template <class T>
std::shared_ptr<const DevicePlan<T>> upload(const std::shared_ptr<const FftPlan<T>>& host) {
  auto plan = std::make_shared<DevicePlan<T>>();
  plan->host = host;
  if (host->padded) plan->padded = upload(host->padded);
  const std::pair<const FftRoots<T>*, DeviceRoots<T>*> tables[] = {{&host->twiddles, &plan->twiddles},
                                                                   {&host->roots, &plan->roots},
                                                                   {&host->halves, &plan->halves},
                                                                   {&host->chirp, &plan->chirp},
                                                                   {&host->kernel, &plan->kernel}};
  std::vector<T> all;
  for (const auto& [from, to] : tables) {
    all.insert(all.end(), from->re.begin(), from->re.end());
    all.insert(all.end(), from->im.begin(), from->im.end());
  }
  plan->memory = c10::cuda::CUDACachingAllocator::get()->allocate(all.size() * sizeof(T));
  const auto stream = c10::cuda::getCurrentCUDAStream();
  C10_CUDA_CHECK(cudaMemcpyAsync(plan->memory.get(), all.data(), all.size() * sizeof(T),
                                 cudaMemcpyHostToDevice, stream));
  // Other streams use the plan, too.
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  const T* at = static_cast<const T*>(plan->memory.get());
  for (const auto& [from, to] : tables) {
    *to = {at, at + from->re.size()};
    at += 2 * from->re.size();
  }
  return plan;
}

// Work that is queued on a stream keeps the tables until it is done, also when the cache drops them.
template <class T>
void mark_used(const DevicePlan<T>& plan, const c10::cuda::CUDAStream& stream) {
  c10::cuda::CUDACachingAllocator::record_stream(plan.memory, stream);
  if (plan.padded) mark_used(*plan.padded, stream);
}

// Cached for later calls, up to a small number.
template <class T>
std::shared_ptr<const DevicePlan<T>> device_plan(const std::shared_ptr<const FftPlan<T>>& host) {
  constexpr size_t most_plans = 128;
  static auto& mutex = *new std::mutex();
  static auto& plans = *new std::map<std::pair<int, int64_t>, std::shared_ptr<const DevicePlan<T>>>();
  const std::pair<int, int64_t> key{c10::cuda::current_device(), host->n};
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = plans.find(key);
  if (found != plans.end()) return found->second;
  if (plans.size() >= most_plans) plans.clear();
  return plans.emplace(key, upload(host)).first->second;
}

// ---- passes

template <int count>
struct FixedRadix {
  static constexpr int most = count;
  __device__ static constexpr int radix() { return count; }
  template <class T>
  __device__ void apply(fft::Point<T>* a) const {
    fft::Butterfly<count>::template apply<T>(a);
  }
};

template <class T>
struct OddRadix {
  static constexpr int most = largest_fft_radix;
  int count;
  const T *re, *im;
  __device__ int radix() const { return count; }
  __device__ void apply(fft::Point<T>* a) const { fft::odd_butterfly<most>(a, count, re, im); }
};

template <class T, class Radix>
__global__ void __launch_bounds__(launch_threads)
    pass_kernel(Radix radix, Planes<T> x, Planes<T> y, int64_t count, int64_t stride,
                DeviceRoots<T> twiddles) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  const int r = radix.radix();
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < count * stride; i += step) {
    const int64_t p = i / stride, q = i % stride;
    fft::Point<T> a[Radix::most];
    for (int k = 0; k < r; ++k) {
      const int64_t from = q + stride * (p + count * k);
      a[k] = {x.re[from], x.im[from]};
    }
    radix.apply(a);
    for (int j = 0; j < r; ++j) {
      const int64_t to = q + stride * (r * p + j), w = (j - 1) * count + p;
      if (j > 0) a[j] = fft::product(a[j], twiddles.re[w], twiddles.im[w]);
      y.re[to] = a[j].re;
      y.im[to] = a[j].im;
    }
  }
}

template <class T, class Radix>
void launch_pass(const Radix& radix, const FftPass<T>& pass, Planes<T> x, Planes<T> y, int64_t stride,
                 DeviceRoots<T> twiddles) {
  pass_kernel<T><<<blocks_for(pass.count * stride), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      radix, x, y, pass.count, stride,
      DeviceRoots<T>{twiddles.re + pass.twiddle, twiddles.im + pass.twiddle});
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <class T>
void run_pass(const DevicePlan<T>& plan, const FftPass<T>& pass, Planes<T> x, Planes<T> y, int64_t stride) {
  switch (pass.radix) {
    case 2:
      return launch_pass(FixedRadix<2>(), pass, x, y, stride, plan.twiddles);
    case 3:
      return launch_pass(FixedRadix<3>(), pass, x, y, stride, plan.twiddles);
    case 4:
      return launch_pass(FixedRadix<4>(), pass, x, y, stride, plan.twiddles);
    case 5:
      return launch_pass(FixedRadix<5>(), pass, x, y, stride, plan.twiddles);
    case 8:
      return launch_pass(FixedRadix<8>(), pass, x, y, stride, plan.twiddles);
    default:
      return launch_pass(
          OddRadix<T>{static_cast<int>(pass.radix), plan.roots.re + pass.root, plan.roots.im + pass.root},
          pass, x, y, stride, plan.twiddles);
  }
}

// Zeros the points from `n` on, multiplies those before.
template <class T>
__global__ void __launch_bounds__(launch_threads)
    multiply_points(Planes<T> x, DeviceRoots<T> factors, int64_t n, int64_t points, int64_t lines) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < points * lines; i += step) {
    const int64_t j = i / lines;
    const fft::Point<T> point =
        j < n ? fft::product(fft::Point<T>{x.re[i], x.im[i]}, factors.re[j], factors.im[j])
              : fft::Point<T>{T(0), T(0)};
    x.re[i] = point.re;
    x.im[i] = point.im;
  }
}

template <class T>
void launch_multiply(Planes<T> x, DeviceRoots<T> factors, int64_t n, int64_t points, int64_t lines) {
  multiply_points<T><<<blocks_for(points * lines), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      x, factors, n, points, lines);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// The CPU's run_fft as launches.
template <class T>
Planes<T> run_fft(const DevicePlan<T>& plan, Planes<T> x, Planes<T> other, int64_t lines) {
  if (plan.padded) {
    const int64_t n = plan.host->n, length = plan.padded->host->n;
    launch_multiply(x, plan.chirp, n, length, lines);
    const Planes<T> transformed = run_fft(*plan.padded, x, other, lines);
    launch_multiply(transformed, plan.kernel, length, length, lines);
    const Planes<T> free = transformed.re == x.re ? other : x;
    const Planes<T> result = run_fft(*plan.padded, transformed.swapped(), free.swapped(), lines).swapped();
    launch_multiply(result, plan.chirp, n, n, lines);
    return result;
  }
  int64_t stride = lines;
  for (const auto& pass : plan.host->passes) {
    run_pass(plan, pass, x, other, stride);
    std::swap(x, other);
    stride *= pass.radix;
  }
  return x;
}

// ---- real lines

template <bool backward, class T>
__global__ void __launch_bounds__(launch_threads)
    join_halves(Planes<T> x, DeviceRoots<T> halves, int64_t n, int64_t lines) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < (n / 2 + 1) * lines; i += step) {
    const int64_t k = i / lines, line = i % lines;
    const int64_t low = k * lines + line, high = (n - k) * lines + line;
    const bool end = k == 0;
    fft::join_points<backward>(x.re, x.im, low, high, end && !backward ? low : high, halves.re[k],
                               halves.im[k], end && backward);
  }
}

// The second half of a Hermitian line of odd length; the first point is treated as real.
template <class T>
__global__ void __launch_bounds__(launch_threads) mirror_rows(Planes<T> x, int64_t n, int64_t lines) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < (n / 2 + 1) * lines; i += step) {
    const int64_t k = i / lines, line = i % lines;
    if (k == 0) {
      x.im[line] = T(0);
    } else {
      x.re[(n - k) * lines + line] = x.re[k * lines + line];
      x.im[(n - k) * lines + line] = -x.im[k * lines + line];
    }
  }
}

// ---- kernels

template <class T>
void run_lines(const FftJob<T>& job, const DevicePlan<T>& plan, Planes<T> x, Planes<T> other, int64_t first,
               int64_t lines) {
  const auto stream = c10::cuda::getCurrentCUDAStream();
  const int64_t n = plan.host->n, pairs = (n / 2 + 1) * lines;
  load(x, job, first, lines);
  if (job.kind == FftKind::JoinedBefore) {
    join_halves<true><<<blocks_for(pairs), launch_threads, 0, stream>>>(x, plan.halves, n, lines);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  } else if (job.kind == FftKind::Mirrored) {
    mirror_rows<<<blocks_for(pairs), launch_threads, 0, stream>>>(x, n, lines);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  const Planes<T> done = job.forward ? run_fft(plan, x, other, lines)
                                     : run_fft(plan, x.swapped(), other.swapped(), lines).swapped();
  if (job.kind == FftKind::JoinedAfter) {
    join_halves<false><<<blocks_for(pairs), launch_threads, 0, stream>>>(done, plan.halves, n, lines);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  store(done, job, first, lines);
}

// As many lines at a time as fit the memory set aside for them.
template <class T>
void run_job(const FftJob<T>& job) {
  constexpr int64_t most_points = int64_t{1} << 24;
  const auto plan = device_plan(job.plan);
  mark_used(*plan, c10::cuda::getCurrentCUDAStream());
  const int64_t at_once = std::clamp<int64_t>(most_points / job.rows(), 1, job.lines);
  const int64_t plane = job.rows() * at_once;
  const auto memory = c10::cuda::CUDACachingAllocator::get()->allocate(4 * plane * sizeof(T));
  T* p = static_cast<T*>(memory.get());
  for (int64_t first = 0; first < job.lines; first += at_once) {
    run_lines<T>(job, *plan, {p, p + plane}, {p + 2 * plane, p + 3 * plane}, first,
                 std::min(at_once, job.lines - first));
  }
}

void fft_c2c_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, bool forward, double scale) {
  AT_DISPATCH_COMPLEX_TYPES(in.scalar_type(), "fft_cuda", [&] {
    run_job(fft_c2c_job<typename scalar_t::value_type>(out, in, dim, forward, scale));
  });
}

void fft_r2c_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, double scale) {
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "fft_cuda",
                             [&] { run_job(fft_r2c_job<scalar_t>(out, in, dim, scale)); });
}

void fft_c2r_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, double scale) {
  AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "fft_cuda",
                             [&] { run_job(fft_c2r_job<scalar_t>(out, in, dim, scale)); });
}

}  // namespace fft_cuda

REGISTER_CUDA_DISPATCH(fft_c2c_stub, &fft_cuda::fft_c2c_kernel)
REGISTER_CUDA_DISPATCH(fft_r2c_stub, &fft_cuda::fft_r2c_kernel)
REGISTER_CUDA_DISPATCH(fft_c2r_stub, &fft_cuda::fft_c2r_kernel)

}  // namespace at::native
