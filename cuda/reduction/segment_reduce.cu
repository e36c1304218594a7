// segment_reduce and its gradient on CUDA: a thread for each column of a segment, or a warp where there are
// few columns side by side.
#include <ATen/Dispatch.h>
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/reduction/segment_arithmetic.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/BlockReduce.cuh>

namespace at::native {
namespace segment_reduce_cuda {

using segment::Alone;
using segment::Segment;
using segment::Start;

// The lanes of a warp; lane i has element i.
struct Warp {
  static constexpr int64_t step = warp_threads;
  int64_t first;

  // All lanes fold in one order, and have the same bits.
  template <class A, class F>
  __device__ A fold(A value, const F& combine) const {
    return fold_lanes(value, combine);
  }
};

__device__ inline void lanes_of_thread(Alone&) {}
__device__ inline void lanes_of_thread(Warp& lanes) { lanes.first = threadIdx.x % warp_threads; }

// Of data [outer, n, inner]; offsets have a row of count + 1.
template <class T>
struct Columns {
  const T* data;
  const int64_t* offsets;
  int64_t n, inner, count, columns;  // `columns`: those of all segments
};

template <class T>
struct Column {
  Segment<T> segment;
  int64_t place;  // of its first element in data

  __device__ Column(const Columns<T>& all, int64_t number) {
    const int64_t row = number / all.inner, outer = row / all.count;
    const int64_t* bounds = all.offsets + outer * (all.count + 1) + row % all.count;
    place = (outer * all.n + bounds[0]) * all.inner + number % all.inner;
    segment = {all.data + place, bounds[1] - bounds[0], all.inner};
  }
};

// f(number, lanes) for each column; all lanes of a warp take part in every round.
template <class Lanes, class F>
__device__ void for_each_column(int64_t columns, const F& f) {
  Lanes lanes;
  lanes_of_thread(lanes);
  const int64_t step = int64_t{gridDim.x} * launch_threads / Lanes::step;
  int64_t number = (int64_t{blockIdx.x} * launch_threads + threadIdx.x) / Lanes::step;
  for (; number < columns; number += step) f(number, lanes);
}

template <class Lanes, class T, class O>
__global__ void __launch_bounds__(launch_threads)
    reduce_kernel(Columns<T> all, T* output, SegmentReduction reduction, Start<O> start) {
  for_each_column<Lanes>(all.columns, [&](int64_t number, const Lanes& lanes) {
    const Column<T> column(all, number);
    const O result = segment::reduced(column.segment, lanes, reduction, start);
    if (lanes.first == 0) output[number] = static_cast<T>(result);
  });
}

template <class Lanes, class T, class O>
__global__ void __launch_bounds__(launch_threads)
    backward_kernel(Columns<T> all, T* grad_data, const T* grad, const T* output, SegmentReduction reduction,
                    Start<O> start) {
  for_each_column<Lanes>(all.columns, [&](int64_t number, const Lanes& lanes) {
    const Column<T> column(all, number);
    segment::write_gradients(grad_data + column.place, column.segment, lanes, static_cast<O>(grad[number]),
                             static_cast<O>(output[number]), reduction, start);
  });
}

template <class T>
Columns<T> columns_of(const TensorBase& output, const Segments& segments) {
  const TensorBase& data = segments.data;
  return {data.const_data_ptr<T>(),
          segments.offsets.const_data_ptr<int64_t>(),
          data.size(1),
          data.size(2),
          segments.offsets.size(1) - 1,
          output.numel()};
}

// f(lanes): a warp reads neighbours of a segment where those of a row are too few for it.
template <class F>
void with_lanes(const Segments& segments, const F& f) {
  if (segments.data.size(2) < warp_threads / 2) {
    f(Warp());
  } else {
    f(Alone());
  }
}

void reduce_segments(const TensorBase& output, const Segments& segments) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, output.scalar_type(), "segment_reduce_cuda", [&] {
    const auto all = columns_of<scalar_t>(output, segments);
    const auto start = segment::start_of<ufunc::opmath<scalar_t>>(segments);
    with_lanes(segments, [&]<class Lanes>(Lanes) {
      reduce_kernel<Lanes><<<blocks_for(all.columns * Lanes::step), launch_threads, 0, stream>>>(
          all, output.mutable_data_ptr<scalar_t>(), segments.reduction, start);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

void segment_gradients(const TensorBase& grad_data, const TensorBase& grad, const TensorBase& output,
                       const Segments& segments) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "segment_reduce_backward_cuda", [&] {
    const auto all = columns_of<scalar_t>(output, segments);
    const auto start = segment::start_of<ufunc::opmath<scalar_t>>(segments);
    with_lanes(segments, [&]<class Lanes>(Lanes) {
      backward_kernel<Lanes><<<blocks_for(all.columns * Lanes::step), launch_threads, 0, stream>>>(
          all, grad_data.mutable_data_ptr<scalar_t>(), grad.const_data_ptr<scalar_t>(),
          output.const_data_ptr<scalar_t>(), segments.reduction, start);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

}  // namespace segment_reduce_cuda

REGISTER_CUDA_DISPATCH(segment_reduce_stub, &segment_reduce_cuda::reduce_segments)
REGISTER_CUDA_DISPATCH(segment_reduce_backward_stub, &segment_reduce_cuda::segment_gradients)

}  // namespace at::native
