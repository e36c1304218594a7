// Kernels over the elements of many tensors, with as many tensors in a launch as fit into its parameters.
// Item i of each of `lists` lists has the same number of elements, dense and in one order. A block has a
// chunk of one item.
#pragma once

#include <ATen/native/math/types.h>
#include <ATen/native/cuda/Loops.cuh>

#include <cstddef>
#include <cstdint>

namespace at::native {
namespace multi_tensor {

constexpr int threads = 256;
constexpr int64_t chunk_size = 4096;  // elements
// Of the 4 KiB that every device takes; the others are for what a kernel needs besides.
constexpr size_t item_bytes = 3584;

// `own`: what else a kernel reads for this item.
template <int lists, class Own = const void*>
struct Item {
  void* data[lists];
  int64_t numel;
  Own own{};

  // Of the kernel's blocks. What an item has besides may say another number.
  uint32_t blocks() const {
    if constexpr (requires { own.blocks(); }) {
      return own.blocks();
    } else {
      return static_cast<uint32_t>((numel + chunk_size - 1) / chunk_size);
    }
  }
};

template <int lists, class Own = const void*>
struct Items {
  static constexpr int most = static_cast<int>(item_bytes / (sizeof(Item<lists, Own>) + sizeof(uint32_t)));
  Item<lists, Own> item[most];
  uint32_t end[most];  // the blocks of this item and of those before
  int count = 0;

  uint32_t blocks() const { return count == 0 ? 0 : end[count - 1]; }
  void add(const Item<lists, Own>& next) {
    end[count] = blocks() + next.blocks();
    item[count++] = next;
  }
};

/// launch(items) for the items that describe(i) gives, i from 0 to before `count`; those without elements are
/// left out.
template <int lists, class Own = const void*, class Describe, class Launch>
void in_launches(size_t count, const Describe& describe, const Launch& launch) {
  Items<lists, Own> items;
  for (size_t i = 0; i < count; ++i) {
    const Item<lists, Own> next = describe(i);
    if (next.numel > 0) items.add(next);
    if (items.count == Items<lists, Own>::most) {
      launch(items);
      items.count = 0;
    }
  }
  if (items.count > 0) launch(items);
}

// The item of a block, and the block's number among those of the item.
template <int lists, class Own = const void*>
struct Place {
  const Item<lists, Own>& item;
  uint32_t block;

  __device__ Place(const Items<lists, Own>& items, uint32_t block)
      : Place(items, block, find(items, block)) {}

 private:
  __device__ Place(const Items<lists, Own>& items, uint32_t block, int at)
      : item(items.item[at]), block(block - (at == 0 ? 0 : items.end[at - 1])) {}

  static __device__ int find(const Items<lists, Own>& items, uint32_t block) {
    int low = 0, high = items.count - 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (items.end[middle] <= block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

// What a block works on.
template <class T, int lists>
struct Chunk {
  T* data[lists];
  int numel;
  const void* own;

  __device__ Chunk(const Items<lists>& items, uint32_t block) {
    const Place<lists> place(items, block);
    const int64_t first = place.block * chunk_size;
    for (int k = 0; k < lists; ++k) data[k] = static_cast<T*>(place.item.data[k]) + first;
    const int64_t left = place.item.numel - first;
    numel = static_cast<int>(left < chunk_size ? left : chunk_size);
    own = place.item.own;
  }

  __device__ bool is_aligned() const {
    bool aligned = true;
    for (int k = 0; k < lists; ++k) {
      aligned = aligned && reinterpret_cast<uintptr_t>(data[k]) % cuda_loops::vector_bytes == 0;
    }
    return aligned;
  }
};

/// f(values) for each element of the block's chunk, with the values of all lists in their compute type; those
/// that f leaves there are written to the lists of the mask `writes`. Lists that aren't in `reads` aren't
/// read, their values are 0.
template <class T, int lists, class F>
__device__ void for_each_element(const Chunk<T, lists>& chunk, unsigned reads, unsigned writes, const F& f) {
  using O = ufunc::opmath<T>;
  constexpr int size = cuda_loops::vector_size<T>;
  using Vector = cuda_loops::Vector<T, size>;
  const int vectors = chunk.is_aligned() ? chunk.numel / size : 0;
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += threads) {
    Vector all[lists] = {};
    for (int k = 0; k < lists; ++k) {
      if (reads >> k & 1) all[k] = reinterpret_cast<const Vector*>(chunk.data[k])[i];
    }
    for (int e = 0; e < size; ++e) {
      O values[lists];
      for (int k = 0; k < lists; ++k) values[k] = static_cast<O>(all[k].v[e]);
      f(values);
      for (int k = 0; k < lists; ++k) all[k].v[e] = static_cast<T>(values[k]);
    }
    for (int k = 0; k < lists; ++k) {
      if (writes >> k & 1) reinterpret_cast<Vector*>(chunk.data[k])[i] = all[k];
    }
  }
  for (int i = vectors * size + static_cast<int>(threadIdx.x); i < chunk.numel; i += threads) {
    O values[lists];
    for (int k = 0; k < lists; ++k) values[k] = reads >> k & 1 ? static_cast<O>(chunk.data[k][i]) : O(0);
    f(values);
    for (int k = 0; k < lists; ++k) {
      if (writes >> k & 1) chunk.data[k][i] = static_cast<T>(values[k]);
    }
  }
}

}  // namespace multi_tensor
}  // namespace at::native
