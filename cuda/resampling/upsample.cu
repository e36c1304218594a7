// Resampling on CUDA: a thread per element of the result, which finds what it is made of by the axes' rules.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/resampling/axis.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace at::native {
namespace upsample_cuda {

using resampling::Axis;
using resampling::Taps;

// Axis numbers: depth, height, width.
template <class A>
struct Plan {
  Axis<A> axes[max_upsample_axes];
  int64_t inner, elements;
  int64_t sizes[max_upsample_axes];  // of the result

  Plan(const ResamplePlan& plan)
      : axes{Axis<A>(plan.axes[0]), Axis<A>(plan.axes[1]), Axis<A>(plan.axes[2])},
        inner(plan.inner),
        elements(plan.outer * plan.inner) {
    for (int a = 0; a < max_upsample_axes; ++a) {
      sizes[a] = plan.is_gradient ? plan.axes[a].input : plan.axes[a].output;
      elements *= sizes[a];
    }
  }
};

// The coordinates of an element of the result: along each axis, in its block, and among the channels.
struct Place {
  int64_t channel, at[max_upsample_axes], block;

  template <class A>
  __device__ Place(const Plan<A>& plan, int64_t i) : channel(i % plan.inner) {
    i /= plan.inner;
    for (int a = max_upsample_axes - 1; a >= 0; --a) {
      at[a] = i % plan.sizes[a];
      i /= plan.sizes[a];
    }
    block = i;
  }
};

template <class T, class A>
__global__ void __launch_bounds__(launch_threads) resample_elements(Plan<A> plan, const T* input, T* output) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  const Axis<A>&depth = plan.axes[0], &height = plan.axes[1], &width = plan.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < plan.elements; i += step) {
    const Place place(plan, i);
    const Taps<A> in_depth = depth.taps(place.at[0]), in_height = height.taps(place.at[1]),
                  in_width = width.taps(place.at[2]);
    A sum = 0;
    for (int d = 0; d < in_depth.count; ++d) {
      const int64_t plane = place.block * depth.input() + depth.index(in_depth, d);
      for (int h = 0; h < in_height.count; ++h) {
        const A weight = depth.weight(in_depth, d) * height.weight(in_height, h);
        const int64_t line = plane * height.input() + height.index(in_height, h);
        const T* row = input + line * width.input() * plan.inner + place.channel;
        for (int w = 0; w < in_width.count; ++w) {
          const T value = row[width.index(in_width, w) * plan.inner];
          sum += weight * width.weight(in_width, w) * static_cast<A>(value);
        }
      }
    }
    output[i] = static_cast<T>(sum);
  }
}

// The first element i of the axis' output for which f(i) is true, and for all after it; else their number.
template <class A, class F>
__device__ int64_t first_output(const Axis<A>& axis, const F& f) {
  int64_t first = 0, last = axis.output();
  while (first < last) {
    const int64_t middle = (first + last) / 2;
    if (f(axis.taps(middle))) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

// The elements of the output that an element of the input is in: positions don't decrease.
struct Uses {
  int64_t begin, end;

  template <class A>
  __device__ Uses(const Axis<A>& axis, int64_t at)
      : begin(
            first_output(axis, [&](const Taps<A>& taps) { return axis.index(taps, taps.count - 1) >= at; })),
        end(first_output(axis, [&](const Taps<A>& taps) { return axis.index(taps, 0) > at; })) {}
};

template <class A>
__device__ A weight_of(const Axis<A>& axis, int64_t output, int64_t input) {
  const Taps<A> taps = axis.taps(output);
  A sum = 0;
  for (int k = 0; k < taps.count; ++k) {
    if (axis.index(taps, k) == input) sum += axis.weight(taps, k);
  }
  return sum;
}

template <class T>
struct alignas(2 * sizeof(T)) Pair {
  T element[2];
};

// `by_pairs`: elements of a line are read two at a time, by which those of neighbouring threads are
// neighbours where the image was doubled.
template <class T, class A>
__global__ void __launch_bounds__(launch_threads)
    sum_gradients(Plan<A> plan, bool by_pairs, const T* grad, T* result) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  const Axis<A>&depth = plan.axes[0], &height = plan.axes[1], &width = plan.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < plan.elements; i += step) {
    const Place place(plan, i);
    const Uses in_depth(depth, place.at[0]), in_height(height, place.at[1]), in_width(width, place.at[2]);
    A sum = 0;
    for (int64_t d = in_depth.begin; d < in_depth.end; ++d) {
      const A of_plane = weight_of(depth, d, place.at[0]);
      for (int64_t h = in_height.begin; h < in_height.end; ++h) {
        const A weight = of_plane * weight_of(height, h, place.at[1]);
        const int64_t line = (place.block * depth.output() + d) * height.output() + h;
        const T* row = grad + line * width.output() * plan.inner + place.channel;
        const auto add = [&](int64_t w, T value) {
          sum += weight * weight_of(width, w, place.at[2]) * static_cast<A>(value);
        };
        if (!by_pairs) {
          for (int64_t w = in_width.begin; w < in_width.end; ++w) add(w, row[w * plan.inner]);
          continue;
        }
        for (int64_t w = in_width.begin / 2 * 2; w < in_width.end; w += 2) {
          const Pair<T> pair = *reinterpret_cast<const Pair<T>*>(row + w);
          if (w >= in_width.begin) add(w, pair.element[0]);
          if (w + 1 < in_width.end) add(w + 1, pair.element[1]);
        }
      }
    }
    result[i] = static_cast<T>(sum);
  }
}

template <class T>
__global__ void __launch_bounds__(launch_threads) pick_elements(Plan<float> plan, const T* input, T* output) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < plan.elements; i += step) {
    const Place place(plan, i);
    int64_t from = place.block;
    for (int a = 0; a < max_upsample_axes; ++a) {
      from = from * plan.axes[a].input() + plan.axes[a].taps(place.at[a]).first;
    }
    output[i] = input[from * plan.inner + place.channel];
  }
}

void resample(const TensorBase& output, const TensorBase& input, const ResamplePlan& given) {
  if (output.numel() == 0) return;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, output.scalar_type(), "upsample_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const Plan<A> plan(given);
    const auto* from = input.const_data_ptr<scalar_t>();
    auto* to = output.mutable_data_ptr<scalar_t>();
    const unsigned blocks = blocks_for(plan.elements);
    if (given.is_gradient) {
      const bool by_pairs = plan.inner == 1 && given.axes[max_upsample_axes - 1].output % 2 == 0 &&
                            reinterpret_cast<uintptr_t>(from) % sizeof(Pair<scalar_t>) == 0;
      sum_gradients<scalar_t, A><<<blocks, launch_threads, 0, stream>>>(plan, by_pairs, from, to);
    } else {
      resample_elements<scalar_t, A><<<blocks, launch_threads, 0, stream>>>(plan, from, to);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void pick(const TensorBase& output, const TensorBase& input, const ResamplePlan& given) {
  if (output.numel() == 0) return;
  const Plan<float> plan(given);
  with_opaque_type(output.element_size(), [&](auto type) {
    using T = decltype(type);
    pick_elements<T><<<blocks_for(plan.elements), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        plan, static_cast<const T*>(input.const_data_ptr()), static_cast<T*>(output.mutable_data_ptr()));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void resample_bytes(const TensorBase&, const TensorBase& input, const ResamplePlan&) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "\"upsample_cuda\" not implemented for '", input.scalar_type(),
                              "'; convert the input to a floating dtype");
}

}  // namespace upsample_cuda

REGISTER_CUDA_DISPATCH(resample_stub, &upsample_cuda::resample)
REGISTER_CUDA_DISPATCH(resample_bytes_stub, &upsample_cuda::resample_bytes)
REGISTER_CUDA_DISPATCH(pick_stub, &upsample_cuda::pick)

}  // namespace at::native
