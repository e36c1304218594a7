// Derivatives of gamma- and beta-distributed samples on CUDA.
#include <ATen/native/cuda/random/sampling.h>
#include <ATen/native/random/sample_gradients.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace sample_gradients_cuda {

struct GammaSlope {
  __device__ double operator()(double shape, double sample) const {
    return samplers::gamma_slope(shape, sample);
  }
};

struct BetaSlope {
  __device__ double operator()(double x, double alpha, double total) const {
    return samplers::beta_slope(x, alpha, total);
  }
};

}  // namespace sample_gradients_cuda

// Operands of other dtypes are converted, which takes no time beside the series.
void gamma_slopes_on_device(TensorIteratorBase& iter) {
  gpu_elementwise<double, double, double>(iter, sample_gradients_cuda::GammaSlope());
}

void beta_slopes_on_device(TensorIteratorBase& iter) {
  gpu_elementwise<double, double, double, double>(iter, sample_gradients_cuda::BetaSlope());
}

}  // namespace at::native
