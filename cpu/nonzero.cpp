// nonzero and masked_select: count, allocate, write; each thread takes one piece of the input.

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/cpu/MaskKernels.h>
#include <c10/core/TensorImpl.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/masked_select_native.h>
#include <ATen/ops/nonzero_native.h>

#include <algorithm>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(count_nonzero_stub);
DEFINE_DISPATCH(nonzero_stub);
DEFINE_DISPATCH(masked_select_stub);

namespace {

// An input cut in pieces, and for each piece where its first result goes.
struct Pieces {
  int64_t size;
  std::vector<int64_t> first_result;  // one more than there are pieces; the last is the total

  int64_t count() const { return static_cast<int64_t>(first_result.size()) - 1; }
  int64_t total() const { return first_result.back(); }
};

constexpr int64_t kMinPiece = 65536;

Pieces count_pieces(const void* data, ScalarType dtype, int64_t numel) {
  const int64_t threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  const int64_t pieces = std::clamp<int64_t>(numel / kMinPiece, 1, threads);
  Pieces result{(numel + pieces - 1) / pieces, std::vector<int64_t>(pieces + 1, 0)};
  at::parallel_for(0, pieces, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t begin = std::min(i * result.size, numel);
      const int64_t end = std::min(begin + result.size, numel);
      result.first_result[i + 1] = count_nonzero_stub(kCPU, data, dtype, begin, end);
    }
  });
  for (int64_t i = 0; i < pieces; ++i) result.first_result[i + 1] += result.first_result[i];
  return result;
}

template <class Write>
void for_each_piece(const Pieces& pieces, int64_t numel, const Write& write) {
  at::parallel_for(0, pieces.count(), 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t begin = std::min(i * pieces.size, numel);
      write(begin, std::min(begin + pieces.size, numel), pieces.first_result[i]);
    }
  });
}

void write_nonzero(const Tensor& self, const Pieces& pieces, const Tensor& result) {
  if (pieces.total() == 0 || self.dim() == 0) return;
  const void* data = self.const_data_ptr();
  int64_t* out = result.mutable_data_ptr<int64_t>();
  const int64_t row_stride = result.strides()[0];
  for_each_piece(pieces, self.numel(), [&](int64_t begin, int64_t end, int64_t first_row) {
    nonzero_stub(kCPU, data, self.scalar_type(), begin, end, self.sizes(), out + first_row * row_stride,
                 row_stride, result.strides()[1]);
  });
}

}  // namespace

// One row per element found. The columns are contiguous: x[mask] takes them one by one.
Tensor nonzero_cpu(const Tensor& self) {
  const Tensor input = self.contiguous();
  const Pieces pieces = count_pieces(input.const_data_ptr(), input.scalar_type(), input.numel());
  Tensor result =
      at::empty_strided({pieces.total(), self.dim()}, {1, pieces.total()}, self.options().dtype(kLong));
  write_nonzero(input, pieces, result);
  return result;
}

Tensor& nonzero_out_cpu(const Tensor& self, Tensor& result) {
  TORCH_CHECK(result.scalar_type() == kLong,
              "nonzero: Expected out tensor to have scalar type Long but got scalar type ",
              result.scalar_type());
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  const Tensor input = self.contiguous();
  const Pieces pieces = count_pieces(input.const_data_ptr(), input.scalar_type(), input.numel());
  if (resize_output(result, {pieces.total(), self.dim()})) {
    result.unsafeGetTensorImpl()->set_sizes_and_strides({pieces.total(), self.dim()}, {1, pieces.total()});
  }
  write_nonzero(input, pieces, result);
  return result;
}

// -------------------- masked_select

Tensor& masked_select_out_cpu(const Tensor& self, const Tensor& mask, Tensor& result) {
  TORCH_CHECK(mask.scalar_type() == kBool, "masked_select: expected BoolTensor for mask");
  TORCH_CHECK(self.scalar_type() == result.scalar_type(),
              "masked_select(): self and result must have the same scalar type");
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  at::assert_no_overlap(result, mask);
  const DimVector size = infer_size_dimvector(self.sizes(), mask.sizes());
  const Tensor input = self.expand(size).contiguous();
  const Tensor flags = mask.expand(size).contiguous();
  const Pieces pieces = count_pieces(flags.const_data_ptr(), kBool, flags.numel());
  resize_output(result, {pieces.total()});
  if (pieces.total() == 0) return result;

  const Tensor dense = result.is_contiguous() ? result : at::empty({pieces.total()}, result.options());
  const auto itemsize = static_cast<int64_t>(self.itemsize());
  const bool* mask_data = flags.const_data_ptr<bool>();
  char* out = static_cast<char*>(dense.mutable_data_ptr());
  for_each_piece(pieces, input.numel(), [&](int64_t begin, int64_t end, int64_t first) {
    masked_select_stub(kCPU, input.const_data_ptr(), mask_data, itemsize, begin, end, out + first * itemsize);
  });
  if (!dense.is_same(result)) result.copy_(dense);
  return result;
}

Tensor masked_select_cpu(const Tensor& self, const Tensor& mask) {
  Tensor result = at::empty({0}, self.options());
  return masked_select_out_cpu(self, mask, result);
}

}  // namespace at::native
