// Resampling on CUDA: a thread per element of the result, with the axes' positions and weights in device
// memory.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/EmptyTensor.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/resampling/stubs.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <cstring>
#include <vector>

namespace at::native {
namespace upsample_cuda {

template <class A>
struct DeviceAxis {
  int64_t input, output;
  const A* weight;
  const int32_t* index;
  const int32_t* count;
};

template <class A>
struct Plan {
  int64_t outer, inner, elements;
  DeviceAxis<A> axes[max_upsample_axes];
};

// The tables of all axes in one buffer: weights, indices, counts, one axis after the other.
template <class A>
class Tables {
 public:
  Tables(const Resampling& resampling, Device device) {
    std::vector<char> bytes;
    for (const ResampleAxis& axis : resampling.axes) append(bytes, axis);
    memory_ = at::detail::empty_device({static_cast<int64_t>(bytes.size())}, kByte, device);
    C10_CUDA_CHECK(cudaMemcpyAsync(memory_.mutable_data_ptr(), bytes.data(), bytes.size(),
                                   cudaMemcpyHostToDevice, c10::cuda::getCurrentCUDAStream()));
    plan_ = {resampling.outer, resampling.inner, resampling.outer * resampling.inner, {}};
    const char* at = static_cast<const char*>(memory_.const_data_ptr());
    for (int i = 0; i < max_upsample_axes; ++i) {
      const ResampleAxis& axis = resampling.axes[i];
      plan_.axes[i].input = axis.input;
      plan_.axes[i].output = axis.output;
      plan_.axes[i].weight = reinterpret_cast<const A*>(at);
      at += aligned(axis.weight.size() * sizeof(A));
      plan_.axes[i].index = reinterpret_cast<const int32_t*>(at);
      at += aligned(axis.index.size() * sizeof(int32_t));
      plan_.axes[i].count = reinterpret_cast<const int32_t*>(at);
      at += aligned(axis.count.size() * sizeof(int32_t));
      plan_.elements *= axis.output;
    }
  }

  const Plan<A>& plan() const { return plan_; }

 private:
  static size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }

  template <class T>
  static void append(std::vector<char>& bytes, const std::vector<T>& values) {
    const size_t begin = bytes.size(), size = values.size() * sizeof(T);
    bytes.resize(begin + aligned(size));
    if (size > 0) std::memcpy(bytes.data() + begin, values.data(), size);
  }
  static void append(std::vector<char>& bytes, const ResampleAxis& axis) {
    append(bytes, std::vector<A>(axis.weight.begin(), axis.weight.end()));
    append(bytes, axis.index);
    append(bytes, axis.count);
  }

  TensorBase memory_;
  Plan<A> plan_;
};

// The coordinates of an output element: along each axis, in its block, and among the channels.
struct Place {
  int64_t channel, at[max_upsample_axes], block;

  template <class A>
  __device__ Place(const Plan<A>& plan, int64_t i) : channel(i % plan.inner) {
    i /= plan.inner;
    for (int a = max_upsample_axes - 1; a >= 0; --a) {
      at[a] = i % plan.axes[a].output;
      i /= plan.axes[a].output;
    }
    block = i;
  }
};

template <class T, class A>
__global__ void __launch_bounds__(launch_threads) resample_elements(Plan<A> plan, const T* input, T* output) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  const auto &depth = plan.axes[0], &height = plan.axes[1], &width = plan.axes[2];
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < plan.elements; i += step) {
    const Place place(plan, i);
    A sum = 0;
    for (int d = 0; d < depth.count[place.at[0]]; ++d) {
      const int64_t in_d = d * depth.output + place.at[0];
      const int64_t plane = place.block * depth.input + depth.index[in_d];
      for (int h = 0; h < height.count[place.at[1]]; ++h) {
        const int64_t in_h = h * height.output + place.at[1];
        const A weight = depth.weight[in_d] * height.weight[in_h];
        const T* row = input + (plane * height.input + height.index[in_h]) * width.input * plan.inner;
        for (int w = 0; w < width.count[place.at[2]]; ++w) {
          const int64_t in_w = w * width.output + place.at[2];
          sum += weight * width.weight[in_w] *
                 static_cast<A>(row[width.index[in_w] * plan.inner + place.channel]);
        }
      }
    }
    output[i] = static_cast<T>(sum);
  }
}

template <class T>
__global__ void __launch_bounds__(launch_threads) pick_elements(Plan<float> plan, const T* input, T* output) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < plan.elements; i += step) {
    const Place place(plan, i);
    int64_t from = place.block;
    for (int a = 0; a < max_upsample_axes; ++a) {
      from = from * plan.axes[a].input + plan.axes[a].index[place.at[a]];
    }
    output[i] = input[from * plan.inner + place.channel];
  }
}

void resample(const TensorBase& output, const TensorBase& input, const Resampling& resampling) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, output.scalar_type(), "upsample_cuda", [&] {
    using A = at::acc_type<scalar_t, true>;
    const Tables<A> tables(resampling, output.device());
    if (tables.plan().elements == 0) return;
    resample_elements<scalar_t, A>
        <<<blocks_for(tables.plan().elements), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
            tables.plan(), input.const_data_ptr<scalar_t>(), output.mutable_data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void pick(const TensorBase& output, const TensorBase& input, const Resampling& resampling) {
  const Tables<float> tables(resampling, output.device());
  if (tables.plan().elements == 0) return;
  with_opaque_type(output.element_size(), [&](auto type) {
    using T = decltype(type);
    pick_elements<T>
        <<<blocks_for(tables.plan().elements), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
            tables.plan(), static_cast<const T*>(input.const_data_ptr()),
            static_cast<T*>(output.mutable_data_ptr()));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void resample_bytes(const TensorBase&, const TensorBase& input, const Resampling&) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "\"upsample_cuda\" not implemented for '", input.scalar_type(),
                              "'; convert the input to a floating dtype");
}

}  // namespace upsample_cuda

REGISTER_CUDA_DISPATCH(resample_stub, &upsample_cuda::resample)
REGISTER_CUDA_DISPATCH(resample_bytes_stub, &upsample_cuda::resample_bytes)
REGISTER_CUDA_DISPATCH(pick_stub, &upsample_cuda::pick)

}  // namespace at::native
