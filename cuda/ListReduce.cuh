// gpu_list_reduce: gpu_reduce for operators that lists have, too (`_foreach_norm`). Called for a list, all
// tensors are reduced by one launch, and by a second one what several blocks found of the longer ones.
// Elements are added in the order of the single operator.
#pragma once

#include <ATen/native/cuda/foreach/lists.h>
#include <ATen/native/cuda/MultiTensor.cuh>
#include <ATen/native/cuda/Reduce.cuh>

#include <vector>

namespace at::native {
namespace cuda_lists {

// Of one item: as in cuda_reduce::Plan, and where its blocks put their parts.
template <class A>
struct Share {
  int rows, splits;
  int64_t per_split;
  A* parts;

  uint32_t blocks() const { return static_cast<uint32_t>(splits); }
};

// An item whose parts are merged by one block.
template <class A>
struct Parts {
  int splits;
  const A* parts;

  uint32_t blocks() const { return 1; }
};

template <class In, class Out, class Op>
__global__ void __launch_bounds__(cuda_reduce::threads)
    fold_list_kernel(const __grid_constant__ multi_tensor::Items<2, Share<typename Op::acc_t>> items, Op op) {
  using acc_t = typename Op::acc_t;
  __shared__ cuda_reduce::SharedWords<acc_t> shared;
  const multi_tensor::Place<2, Share<acc_t>> place(items, blockIdx.x);
  const Share<acc_t>& share = place.item.own;
  const int t = static_cast<int>(threadIdx.x), row = t % share.rows;
  const int64_t begin = place.block * share.per_split, numel = place.item.numel;
  const int64_t end = begin + share.per_split < numel ? begin + share.per_split : numel;
  const auto* in = static_cast<const char*>(place.item.data[1]);
  acc_t acc = op.identity();
  if (t < share.rows) {
    acc = cuda_reduce::fold_elements(op, begin + row, end, share.rows,
                                     [&](int64_t i) { return c10::load<In>(in + i * int64_t{sizeof(In)}); });
  }
  acc = cuda_reduce::fold_block(op, acc, shared, row, share.rows, 1);
  if (t != 0) return;
  if (share.splits > 1) {
    share.parts[place.block] = acc;
  } else {
    *static_cast<Out*>(place.item.data[0]) = op.project(acc, numel);
  }
}

template <class Out, class Op>
__global__ void __launch_bounds__(cuda_reduce::threads)
    merge_list_kernel(const __grid_constant__ multi_tensor::Items<1, Parts<typename Op::acc_t>> items,
                      Op op) {
  using acc_t = typename Op::acc_t;
  __shared__ cuda_reduce::SharedWords<acc_t> shared;
  const auto& item = items.item[blockIdx.x];
  const acc_t acc = cuda_reduce::merge_parts(op, item.own.parts, item.own.splits, shared);
  if (threadIdx.x == 0) *static_cast<Out*>(item.data[0]) = op.project(acc, item.numel);
}

template <class In, class Out, class Op>
void reduce_items(const Lists& lists, const Op& op) {
  using acc_t = typename Op::acc_t;
  const size_t count = lists.items.size();
  std::vector<Share<acc_t>> shares(count);
  size_t parts = 0;
  for (size_t i = 0; i < count; ++i) {
    cuda_reduce::Plan plan{};
    plan.outputs = 1;
    plan.length = lists.items[i].numel;
    cuda_reduce::share_elements(plan);
    shares[i] = {plan.rows, plan.splits, plan.per_split, nullptr};
    if (plan.splits > 1) parts += static_cast<size_t>(plan.splits);
  }
  c10::DataPtr memory;
  if (parts > 0) memory = c10::GetAllocator(c10::DeviceType::CUDA)->allocate(parts * sizeof(acc_t));
  auto* next = static_cast<acc_t*>(memory.get());
  for (Share<acc_t>& share : shares) {
    if (share.splits > 1) {
      share.parts = next;
      next += share.splits;
    }
  }
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const auto folded = [&](size_t i) {
    const Lists::Item& from = lists.items[i];
    return multi_tensor::Item<2, Share<acc_t>>{{from.data[0], from.data[1]}, from.numel, shares[i]};
  };
  multi_tensor::in_launches<2, Share<acc_t>>(count, folded, [&](const auto& items) {
    fold_list_kernel<In, Out><<<items.blocks(), cuda_reduce::threads, 0, stream>>>(items, op);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  const auto merged = [&](size_t i) {
    const Lists::Item& from = lists.items[i];
    const Share<acc_t>& share = shares[i];
    return multi_tensor::Item<1, Parts<acc_t>>{
        {from.data[0]}, share.splits > 1 ? from.numel : 0, {share.splits, share.parts}};
  };
  multi_tensor::in_launches<1, Parts<acc_t>>(count, merged, [&](const auto& items) {
    merge_list_kernel<Out><<<items.blocks(), cuda_reduce::threads, 0, stream>>>(items, op);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace cuda_lists

template <class In, class Out, class Op>
void gpu_list_reduce(TensorIteratorBase& iter, const Op& op) {
  cuda_lists::Lists* const lists = cuda_lists::current();
  const bool converts = iter.dtype(1) != c10::CppTypeToScalarType<In>::value;
  if (lists != nullptr && !converts && lists->take_reduction(iter)) {
    cuda_lists::reduce_items<In, Out>(*lists, op);
  } else {
    gpu_reduce<In, Out>(iter, op);
  }
}

}  // namespace at::native
