// Sums over the rows of a matrix in two stages and a fixed order, so that their bits don't depend on when
// blocks run: each block along y sums its share of the rows, then a thread per column sums the shares.
#pragma once

#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <cstdint>

namespace at::native {

/// A row of sums for each share, on the device; memory of the current stream.
template <class A>
class RowShares {
 public:
  RowShares(int64_t rows, int64_t columns)
      : columns_(columns),
        shares_(share_count(rows, columns)),
        memory_(c10::cuda::CUDACachingAllocator::get()->allocate(shares_ * columns * sizeof(A))) {}

  A* data() const { return static_cast<A*>(memory_.get()); }
  /// For the first stage: threads for the columns along x, shares along y.
  dim3 blocks() const {
    return dim3(static_cast<unsigned>((columns_ + launch_threads - 1) / launch_threads),
                static_cast<unsigned>(shares_));
  }
  /// The second stage.
  void sum(A* out) const;

 private:
  static int64_t share_count(int64_t rows, int64_t columns) {
    constexpr int64_t rows_per_share = 64, most_shares = 1024, most_sums = int64_t{1} << 22;
    const int64_t most = std::clamp<int64_t>(most_sums / std::max<int64_t>(columns, 1), 1, most_shares);
    return std::clamp<int64_t>(rows / rows_per_share, 1, most);
  }

  int64_t columns_, shares_;
  c10::DataPtr memory_;
};

namespace row_sums {

template <class A>
__global__ void __launch_bounds__(launch_threads)
    sum_shares(const A* partial, int64_t shares, int64_t columns, A* out) {
  const int64_t step = int64_t{gridDim.x} * launch_threads;
  for (int64_t i = int64_t{blockIdx.x} * launch_threads + threadIdx.x; i < columns; i += step) {
    A sum = A(0);
    for (int64_t share = 0; share < shares; ++share) sum += partial[share * columns + i];
    out[i] = sum;
  }
}

}  // namespace row_sums

template <class A>
void RowShares<A>::sum(A* out) const {
  row_sums::sum_shares<<<blocks_for(columns_), launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      data(), shares_, columns_, out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace at::native
