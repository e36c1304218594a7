// cumsum on CUDA.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/scan/stubs.h>
#include <c10/core/DynamicCast.h>
#include <ATen/native/cuda/OffsetCalculator.cuh>
#include <ATen/native/cuda/Scan.cuh>

namespace at::native {
namespace cumsum_cuda {

template <class T>
struct Sum {
  using State = at::acc_type<T, true>;
  struct Line {
    T* to;
    const T* from;
  };

  OffsetCalculator<2> starts;
  char* out;
  const char* in;
  int64_t out_stride, in_stride;  // along the line, in elements

  __device__ State identity() const { return State(0); }
  __device__ State combine(State earlier, State later) const { return earlier + later; }
  __device__ Line line(int64_t number) const {
    uint32_t offsets[2];
    starts.get(static_cast<uint32_t>(number), offsets);
    return {reinterpret_cast<T*>(out + offsets[0]), reinterpret_cast<const T*>(in + offsets[1])};
  }
  __device__ State load(const Line& line, int64_t i) const {
    return static_cast<State>(c10::load<T>(line.from + i * in_stride));
  }
  __device__ void store(const Line& line, int64_t i, State sum) const {
    line.to[i * out_stride] = static_cast<T>(sum);
  }
};

template <class T>
void sum_lines(TensorIterator& starts, int64_t n, int64_t out_stride, int64_t in_stride) {
  if (starts.numel() == 0) return;
  if (!starts.can_use_32bit_indexing()) {
    for (auto& piece : starts.with_32bit_indexing()) sum_lines<T>(piece, n, out_stride, in_stride);
    return;
  }
  const Sum<T> op{OffsetCalculator<2>(starts), static_cast<char*>(starts.data_ptr(0)),
                  static_cast<const char*>(starts.data_ptr(1)), out_stride, in_stride};
  scan_cuda::scan(starts.numel(), n, in_stride == 1, op);
}

void cumsum_kernel(const TensorBase& result, const TensorBase& self, int64_t dim) {
  auto starts = TensorIteratorConfig()
                    .set_check_mem_overlap(false)
                    .resize_outputs(false)
                    .declare_static_shape(self.sizes(), /*squash_dims=*/dim)
                    .add_output(result)
                    .add_const_input(self)
                    .build();
  AT_DISPATCH_V2(self.scalar_type(), "cumsum_cuda", AT_WRAP([&] {
                   sum_lines<scalar_t>(starts, self.size(dim), result.stride(dim), self.stride(dim));
                 }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16);
}

}  // namespace cumsum_cuda

REGISTER_CUDA_DISPATCH(cumsum_stub, &cumsum_cuda::cumsum_kernel)

}  // namespace at::native
