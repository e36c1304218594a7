// cat of dense tensors: one launch for up to 64 of them, by the widest units in which all parts begin and
// end.
#include <ATen/native/cuda/shape/cat.h>

#include <ATen/native/Opaque.h>
#include <ATen/native/cuda/Launch.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/OffsetCalculator.cuh>

#include <limits>

namespace at::native {
namespace cat_cuda {

constexpr int most_parts = 64;

// Of a part: its units, those in a row, and where it begins in a row of the result.
struct Part {
  const char* data;
  uint32_t units, offset;
  FastDivider width;
};
struct Parts {
  Part part[most_parts];
};

template <class T>
__global__ void __launch_bounds__(launch_threads) cat_kernel(Parts parts, uint32_t row_units, T* out) {
  const Part& part = parts.part[blockIdx.y];
  const auto* in = reinterpret_cast<const T*>(part.data);
  const uint32_t step = gridDim.x * launch_threads;
  for (uint32_t i = blockIdx.x * launch_threads + threadIdx.x; i < part.units; i += step) {
    const uint32_t row = part.width.divide(i);
    out[row * row_units + part.offset + (i - row * part.width.divisor)] = in[i];
  }
}

// The widest power of two, up to 16, that divides all of them.
int64_t unit_of(c10::ArrayRef<CatPart> parts, int64_t row_bytes, const void* out) {
  uint64_t all = 16 | static_cast<uint64_t>(row_bytes) | reinterpret_cast<uintptr_t>(out);
  for (const CatPart& part : parts) {
    all |= reinterpret_cast<uintptr_t>(part.data) | static_cast<uint64_t>(part.bytes | part.offset);
  }
  return static_cast<int64_t>(all & (~all + 1));
}

template <class T>
void launch(c10::ArrayRef<CatPart> given, int64_t rows, int64_t row_bytes, T* out) {
  Parts parts{};
  uint32_t most = 0;
  for (size_t i = 0; i < given.size(); ++i) {
    const auto width = static_cast<uint32_t>(given[i].bytes / sizeof(T));
    parts.part[i] = {given[i].data, width * static_cast<uint32_t>(rows),
                     static_cast<uint32_t>(given[i].offset / sizeof(T)), FastDivider(width)};
    most = std::max(most, parts.part[i].units);
  }
  const dim3 grid(blocks_for(most), static_cast<unsigned>(given.size()));
  cat_kernel<T><<<grid, launch_threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      parts, static_cast<uint32_t>(row_bytes / sizeof(T)), out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace cat_cuda

bool cat_on_device(c10::ArrayRef<CatPart> parts, int64_t rows, int64_t row_bytes, const TensorBase& result) {
  using namespace cat_cuda;
  void* out = result.mutable_data_ptr();
  const int64_t unit = unit_of(parts, row_bytes, out);
  if (rows * row_bytes / unit > std::numeric_limits<int32_t>::max()) return false;
  with_opaque_type(unit, [&]<class T>(T) {
    for (size_t first = 0; first < parts.size(); first += most_parts) {
      const size_t count = std::min<size_t>(most_parts, parts.size() - first);
      launch(parts.slice(first, count), rows, row_bytes, static_cast<T*>(out));
    }
  });
  return true;
}

}  // namespace at::native
