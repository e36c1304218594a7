// The gradients of group_norm, from sums over channels: a warp for each group, a thread for each parameter.
#include <ATen/native/cuda/normalization/group_norm.h>

#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/BlockReduce.cuh>

namespace at::native {
namespace group_norm_kernels {

constexpr int threads = launch_threads, warps = threads / warp_threads;

struct Groups {
  int64_t samples, channels, groups, together;  // together: channels of a group
};

template <class A>
struct Factors {
  A *mean, *by_grad, *by_x, *shift;
};

template <class A>
__global__ void __launch_bounds__(threads)
    factors_kernel(Groups shape, A n, const A* sum, const A* product, const A* mean, const A* rstd,
                   const A* weight, Factors<A> out) {
  const int64_t lane = threadIdx.x % warp_threads, count = shape.samples * shape.groups;
  for (int64_t k = int64_t{blockIdx.x} * warps + threadIdx.x / warp_threads; k < count;
       k += int64_t{gridDim.x} * warps) {
    const int64_t begin = k * shape.together, channel = k % shape.groups * shape.together;
    const auto factor = [&](int64_t c) { return weight != nullptr ? weight[channel + c] : A(1); };
    A sums = A(0), products = A(0);
    for (int64_t c = lane; c < shape.together; c += warp_threads) {
      sums += sum[begin + c] * factor(c);
      products += product[begin + c] * factor(c);
    }
    const auto add = [](A a, A b) { return a + b; };
    sums = fold_lanes(sums, add);
    products = fold_lanes(products, add);
    const A scale = rstd[k], by_x = -(scale * scale * scale * products) / n, shift = -(scale * sums) / n;
    for (int64_t c = lane; c < shape.together; c += warp_threads) {
      out.mean[begin + c] = mean[k];
      out.by_grad[begin + c] = scale * factor(c);
      out.by_x[begin + c] = by_x;
      out.shift[begin + c] = shift;
    }
  }
}

template <class A>
__global__ void __launch_bounds__(threads)
    parameter_kernel(Groups shape, const A* sum, const A* product, const A* rstd, A* weight, A* bias) {
  for (int64_t c = int64_t{blockIdx.x} * threads + threadIdx.x; c < shape.channels;
       c += int64_t{gridDim.x} * threads) {
    A products = A(0), sums = A(0);
    for (int64_t sample = 0; sample < shape.samples; ++sample) {
      const int64_t k = sample * shape.channels + c;
      products += product[k] * rstd[sample * shape.groups + c / shape.together];
      sums += sum[k];
    }
    if (weight != nullptr) weight[c] = products;
    if (bias != nullptr) bias[c] = sums;
  }
}

Groups groups_of(const GroupNormShape& shape) {
  return {shape.samples, shape.channels, shape.groups, shape.channels / shape.groups};
}

}  // namespace group_norm_kernels

void group_gradient_factors_on_device(const GroupNormShape& shape, const GroupSums& sums,
                                      const TensorBase& mean, const TensorBase& rstd,
                                      const TensorBase& weight, const GroupGradientFactors& factors) {
  using namespace group_norm_kernels;
  AT_DISPATCH_FLOATING_TYPES(rstd.scalar_type(), "group_gradient_factors_cuda", [&] {
    using A = scalar_t;
    const Factors<A> out{factors.mean.mutable_data_ptr<A>(), factors.by_grad.mutable_data_ptr<A>(),
                         factors.by_x.mutable_data_ptr<A>(), factors.shift.mutable_data_ptr<A>()};
    const unsigned blocks = blocks_for(shape.samples * shape.groups, warps);
    factors_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        groups_of(shape), static_cast<A>(shape.elements_per_group()), sums.grad.const_data_ptr<A>(),
        sums.product.const_data_ptr<A>(), mean.const_data_ptr<A>(), rstd.const_data_ptr<A>(),
        data_or_null<A>(weight), out);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void group_parameter_gradients_on_device(const GroupNormShape& shape, const GroupSums& sums,
                                         const TensorBase& rstd, const TensorBase& grad_weight,
                                         const TensorBase& grad_bias) {
  using namespace group_norm_kernels;
  if (!grad_weight.defined() && !grad_bias.defined()) return;
  AT_DISPATCH_FLOATING_TYPES(rstd.scalar_type(), "group_parameter_gradients_cuda", [&] {
    using A = scalar_t;
    parameter_kernel<<<blocks_for(shape.channels), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        groups_of(shape), sums.grad.const_data_ptr<A>(), sums.product.const_data_ptr<A>(),
        rstd.const_data_ptr<A>(), mutable_data_or_null<A>(grad_weight), mutable_data_or_null<A>(grad_bias));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace at::native
