// gpu_list_elementwise: gpu_elementwise for the kernels of operators that lists have, too (`_foreach_`).
// Called for a list, it is one launch for as many tensors as fit into its parameters, with the functor and
// the reads and writes of the single operator.
#pragma once

#include <ATen/native/cuda/foreach/lists.h>
#include <ATen/native/cuda/Loops.cuh>
#include <ATen/native/cuda/MultiTensor.cuh>

namespace at::native {
namespace cuda_lists {

// What is applied to the elements of one item.
template <class F, class... In>
struct Call {
  F f;
  cuda_loops::Inputs<In...> in;
};

// Reads an input that is one value for all elements. Whether vectors can be read from it.
template <int size, size_t I, class T>
__device__ bool begin_input(cuda_loops::Input<I, T>& input, bool is_constant) {
  if (is_constant) {
    input.scalar = input.element(0);
    input.data = nullptr;
  }
  return reinterpret_cast<uintptr_t>(input.data) % (sizeof(T) * size) == 0;
}
template <int size, size_t... I, class... In>
__device__ bool begin_inputs(cuda_loops::InputPack<std::index_sequence<I...>, In...>& in,
                             unsigned constants) {
  return (true & ... & begin_input<size>(static_cast<cuda_loops::Input<I, In>&>(in), constants >> I & 1));
}

template <class Out, int size, class C>
__global__ void __launch_bounds__(multi_tensor::threads)
    list_kernel(const __grid_constant__ multi_tensor::Items<1, C> items, unsigned constants) {
  constexpr uint32_t threads = multi_tensor::threads, chunk = multi_tensor::chunk_size;
  const multi_tensor::Place<1, C> place(items, blockIdx.x);
  C call = place.item.own;
  auto* out = static_cast<char*>(place.item.data[0]);
  bool is_aligned = begin_inputs<size>(call.in, constants);
  is_aligned = is_aligned && reinterpret_cast<uintptr_t>(out) % (sizeof(Out) * size) == 0;
  const uint32_t first = place.block * chunk, left = static_cast<uint32_t>(place.item.numel) - first;
  const uint32_t count = left < chunk ? left : chunk, vectors = is_aligned ? count / size : 0;
  for (uint32_t i = threadIdx.x; i < vectors; i += threads) {
    const uint32_t index = first + i * size;
    Out results[size];
    call.in.call_vector(call.f, index, results);
    cuda_loops::store_vector<Out>(index, out, results);
  }
  for (uint32_t i = first + vectors * size + threadIdx.x; i < first + count; i += threads) {
    *reinterpret_cast<Out*>(out + sizeof(Out) * uint64_t{i}) =
        static_cast<Out>(call.in.call_element(call.f, i));
  }
}

template <size_t... I, class... In>
void set_data(cuda_loops::InputPack<std::index_sequence<I...>, In...>& in, const Lists& lists,
              char* const* data) {
  (..., (lists.strides[1 + I] == 0 ? void()
                                   : void(static_cast<cuda_loops::Input<I, In>&>(in).data = data[1 + I])));
}

template <class Out, class F, class... In>
void launch(const Lists& lists, const void* calls, size_t step) {
  using C = Call<F, In...>;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  unsigned constants = 0;
  for (size_t k = 0; k < sizeof...(In); ++k) constants |= unsigned{lists.strides[1 + k] == 0} << k;
  const auto describe = [&](size_t i) {
    const Lists::Item& from = lists.items[i];
    multi_tensor::Item<1, C> item{{from.data[0]}, from.numel, static_cast<const C*>(calls)[i * step]};
    set_data(item.own.in, lists, from.data);
    return item;
  };
  multi_tensor::in_launches<1, C>(lists.items.size(), describe, [&](const auto& items) {
    list_kernel<Out, cuda_loops::vector_size<Out, In...>>
        <<<items.blocks(), multi_tensor::threads, 0, stream>>>(items, constants);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

template <class Out, class... In, class F, size_t... I>
bool take(Lists& lists, TensorIteratorBase& iter, const F& f, std::index_sequence<I...>) {
  Call<F, In...> call{f, {}};
  bool vectorizes = true;  // which is decided for each item
  (cuda_loops::set_input(static_cast<cuda_loops::Input<I, In>&>(call.in), iter, 1, vectorizes), ...);
  if (!iter.can_use_32bit_indexing() || (cuda_loops::converts<Out>(iter, 0) || ... ||
                                         static_cast<cuda_loops::Input<I, In>&>(call.in).converts)) {
    lists.leave_out();
    return false;
  }
  return lists.take(iter, &launch<Out, F, In...>, &call, sizeof(call));
}

}  // namespace cuda_lists

template <class Out, class... In, class F>
void gpu_list_elementwise(TensorIteratorBase& iter, const F& f) {
  cuda_lists::Lists* const lists = cuda_lists::current();
  if (lists == nullptr || !cuda_lists::take<Out, In...>(*lists, iter, f, std::index_sequence_for<In...>())) {
    gpu_elementwise<Out, In...>(iter, f);
  }
}

}  // namespace at::native
