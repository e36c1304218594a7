// grid_sampler on CUDA: a thread per point of the grid, which loops over all channels.
#include <ATen/AccumulateType.h>
#include <ATen/Context.h>
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/resampling/grid_sampler.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Atomic.cuh>

namespace at::native {
namespace grid_sampler_cuda {

using Interpolation = GridSamplerInterpolation;
using Padding = GridSamplerPadding;

struct Shape {
  int axes, taps;
  int64_t channels, points, plane, total;  // points of one item and of the batch
  int64_t size[3];                         // of the input: x, y, z
  bool align_corners;

  Shape(const TensorBase& input, const TensorBase& grid, const GridSampling& sampling)
      : axes(static_cast<int>(input.dim()) - 2),
        taps(sampling.taps()),
        channels(input.sizes()[1]),
        points(1),
        plane(1),
        align_corners(sampling.align_corners) {
    for (int a = 0; a < axes; ++a) {
      points *= grid.sizes()[a + 1];
      size[a] = input.sizes()[axes + 1 - a];
      plane *= size[a];
    }
    total = points * input.sizes()[0];
  }

  __host__ __device__ int combinations() const { return axes == 2 ? taps * taps : taps * taps * taps; }
};

template <class A>
struct Point {
  grid_taps::Taps<A> taps[3];

  template <Interpolation interpolation, Padding padding, class T>
  __device__ static Point at(const Shape& shape, const T* coordinates) {
    Point point;
    for (int a = 0; a < shape.axes; ++a) {
      point.taps[a] = grid_taps::taps_of<interpolation, padding>(static_cast<A>(coordinates[a]),
                                                                 shape.size[a], shape.align_corners);
    }
    return point;
  }

  // Calls f(offset, combination) for each input element of the point.
  template <class F>
  __device__ void each(const Shape& shape, const F& f) const {
    for (int i = 0; i < shape.combinations(); ++i) {
      int choice[3] = {i % shape.taps, i / shape.taps % shape.taps, i / (shape.taps * shape.taps)};
      int64_t offset = 0;
      bool inside = true;
      for (int a = shape.axes - 1; a >= 0; --a) {
        const int32_t index = taps[a].index[choice[a]];
        inside = inside && index < shape.size[a];
        offset = offset * shape.size[a] + index;
      }
      if (inside) f(offset, choice);
    }
  }

  // The product of the axes' weights; for one of them, its derivative.
  __device__ A weight(const Shape& shape, const int* choice, int sloped = -1) const {
    A product = 1;
    for (int a = 0; a < shape.axes; ++a) {
      product *= a == sloped ? taps[a].slope[choice[a]] : taps[a].weight[choice[a]];
    }
    return product;
  }
};

template <Interpolation interpolation, Padding padding, class T>
__global__ void __launch_bounds__(launch_threads)
    sample_points(Shape shape, const T* input, const T* grid, T* output) {
  using A = at::acc_type<T, true>;
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < shape.total; i += step) {
    const auto point = Point<A>::template at<interpolation, padding>(shape, grid + i * shape.axes);
    const int64_t item = i / shape.points, p = i % shape.points;
    for (int64_t c = 0; c < shape.channels; ++c) {
      const int64_t channel = item * shape.channels + c;
      A sum = 0;
      point.each(shape, [&](int64_t offset, const int* choice) {
        sum += point.weight(shape, choice) * static_cast<A>(input[channel * shape.plane + offset]);
      });
      output[channel * shape.points + p] = static_cast<T>(sum);
    }
  }
}

template <Interpolation interpolation, Padding padding, class T>
__global__ void __launch_bounds__(launch_threads)
    find_gradients(Shape shape, const T* grad, const T* input, const T* grid, T* grad_input, T* grad_grid) {
  using A = at::acc_type<T, true>;
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < shape.total; i += step) {
    const auto point = Point<A>::template at<interpolation, padding>(shape, grid + i * shape.axes);
    const int64_t item = i / shape.points, p = i % shape.points;
    A slopes[3] = {0, 0, 0};
    for (int64_t c = 0; c < shape.channels; ++c) {
      const int64_t channel = item * shape.channels + c;
      const A g = static_cast<A>(grad[channel * shape.points + p]);
      point.each(shape, [&](int64_t offset, const int* choice) {
        const int64_t at = channel * shape.plane + offset;
        if (grad_input != nullptr) {
          atomic_add(grad_input + at, static_cast<T>(g * point.weight(shape, choice)));
        }
        const A value = g * static_cast<A>(input[at]);
        for (int a = 0; a < shape.axes; ++a) slopes[a] += value * point.weight(shape, choice, a);
      });
    }
    for (int a = 0; a < shape.axes; ++a) grad_grid[i * shape.axes + a] = static_cast<T>(slopes[a]);
  }
}

void sample(const TensorBase& output, const TensorBase& input, const TensorBase& grid,
            const GridSampling& sampling) {
  const Shape shape(input, grid, sampling);
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "grid_sampler_cuda", [&] {
    grid_taps::with_constants(sampling, [&](auto interpolation, auto padding) {
      sample_points<interpolation.value, padding.value, scalar_t>
          <<<blocks_for(shape.total), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
              shape, input.const_data_ptr<scalar_t>(), grid.const_data_ptr<scalar_t>(),
              output.mutable_data_ptr<scalar_t>());
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

void gradients(const TensorBase& grad_input, const TensorBase& grad_grid, const TensorBase& grad_output,
               const TensorBase& input, const TensorBase& grid, const GridSampling& sampling) {
  if (grad_input.defined()) {
    at::globalContext().alertNotDeterministic("the gradient of grid_sampler's input on CUDA");
  }
  const Shape shape(input, grid, sampling);
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, input.scalar_type(), "grid_sampler_backward_cuda", [&] {
    grid_taps::with_constants(sampling, [&](auto interpolation, auto padding) {
      find_gradients<interpolation.value, padding.value, scalar_t>
          <<<blocks_for(shape.total), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
              shape, grad_output.const_data_ptr<scalar_t>(), input.const_data_ptr<scalar_t>(),
              grid.const_data_ptr<scalar_t>(),
              grad_input.defined() ? grad_input.mutable_data_ptr<scalar_t>() : nullptr,
              grad_grid.mutable_data_ptr<scalar_t>());
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

}  // namespace grid_sampler_cuda

REGISTER_CUDA_DISPATCH(grid_sampler_stub, &grid_sampler_cuda::sample)
REGISTER_CUDA_DISPATCH(grid_sampler_backward_stub, &grid_sampler_cuda::gradients)

}  // namespace at::native
