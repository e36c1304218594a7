// Distributions whose numbers take a varying number of uniform ones, on CUDA: a thread draws an element's
// from its stream.
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/cuda/random/reserve.h>
#include <ATen/native/cuda/random/sampling.h>
#include <ATen/native/random/samplers.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace sampling_cuda {

using samplers::Stream;

// Elements as doubles: beside the sampling a conversion takes no time, and one kernel does for all dtypes.
struct Parameter {
  const char* data;
  int64_t size;
  ScalarType dtype;

  explicit Parameter(const TensorBase& t)
      : data(static_cast<const char*>(t.const_data_ptr())),
        size(static_cast<int64_t>(t.element_size())),
        dtype(t.scalar_type()) {}
  __device__ double operator[](int64_t i) const {
    return cuda_loops::load_converted<double>(dtype, data + i * size);
  }
};

struct Poisson {
  Parameter rate;
  c10::cuda::KernelAssertion is_rate;
  __device__ double operator()(Stream& stream, int64_t i) const {
    const double expected = rate[i];
    is_rate(expected >= 0.0);
    return samplers::poisson_sample(stream, expected);
  }
};

struct Binomial {
  Parameter count, chance;
  __device__ double operator()(Stream& stream, int64_t i) const {
    return samplers::binomial_sample(stream, count[i], chance[i]);
  }
};

struct Gamma {
  Parameter shape;
  double least;
  __device__ double operator()(Stream& stream, int64_t i) const {
    const double sample = std::exp(samplers::log_gamma_sample(stream, shape[i]));
    return sample < least ? least : sample;
  }
};

struct LogGamma {
  Parameter shape;
  __device__ double operator()(Stream& stream, int64_t i) const {
    return samplers::log_gamma_sample(stream, shape[i]);
  }
};

template <class Draw>
__global__ void __launch_bounds__(launch_threads)
    sample_kernel(Draw draw, char* out, int64_t size, ScalarType dtype, int64_t numel, PhiloxState state) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < numel; i += step) {
    Stream stream(state.seed, state.offset + static_cast<uint64_t>(i));
    cuda_loops::store_converted<double>(dtype, out + i * size, draw(stream, i));
  }
}

template <class Draw>
void sample(const TensorBase& result, const Draw& draw, const std::optional<Generator>& gen) {
  const int64_t numel = result.numel();
  const PhiloxState state = reserve_blocks(gen, result.device(), static_cast<uint64_t>(numel));
  if (numel == 0) return;
  sample_kernel<<<blocks_for(numel), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      draw, static_cast<char*>(result.mutable_data_ptr()), static_cast<int64_t>(result.element_size()),
      result.scalar_type(), numel, state);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace sampling_cuda

using namespace sampling_cuda;

void poisson_on_device(const TensorBase& result, const TensorBase& rate,
                       const std::optional<Generator>& gen) {
  const auto is_rate =
      c10::cuda::kernel_assertion("poisson", "invalid Poisson rate, expected rate to be non-negative");
  sample(result, Poisson{Parameter(rate), is_rate}, gen);
}

void binomial_on_device(const TensorBase& result, const TensorBase& count, const TensorBase& chance,
                        const std::optional<Generator>& gen) {
  sample(result, Binomial{Parameter(count), Parameter(chance)}, gen);
}

void gamma_on_device(const TensorBase& result, const TensorBase& shape, double least,
                     const std::optional<Generator>& gen) {
  sample(result, Gamma{Parameter(shape), least}, gen);
}

void log_gamma_on_device(const TensorBase& result, const TensorBase& shape,
                         const std::optional<Generator>& gen) {
  sample(result, LogGamma{Parameter(shape)}, gen);
}

}  // namespace at::native
