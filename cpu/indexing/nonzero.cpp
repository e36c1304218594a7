// nonzero and masked_select: each thread processes one piece of the input.
#include <ATen/native/indexing/nonzero.h>

#include <ATen/EmptyTensor.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/indexing/mask_kernels.h>
#include <ATen/native/indexing/stubs.h>

#include <ATen/ops/masked_select_native.h>
#include <ATen/ops/nonzero_native.h>

#include <algorithm>

namespace at::native {

DEFINE_DISPATCH(count_nonzero_stub);
DEFINE_DISPATCH(nonzero_stub);
DEFINE_DISPATCH(masked_select_stub);

namespace {

constexpr int64_t min_piece = 65536;

// An input split into pieces. NonzeroElements::where holds what was found before each of them, and in all.
struct Pieces {
  int64_t count, numel;

  // Calls f(number, begin, end) for each piece.
  template <class F>
  void for_each(const F& f) const {
    const int64_t size = at::divup(numel, count);
    at::parallel_for(0, count, 1, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const int64_t begin = std::min(i * size, numel);
        f(i, begin, std::min(begin + size, numel));
      }
    });
  }
};

Pieces pieces_of(const NonzeroElements& found, const TensorBase& self) {
  return {found.where.numel() - 1, self.numel()};
}

NonzeroElements find_nonzero(const TensorBase& self) {
  const int64_t threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  const Pieces pieces{std::clamp<int64_t>(self.numel() / min_piece, 1, threads), self.numel()};
  NonzeroElements found{0, at::detail::empty_cpu({pieces.count + 1}, kLong)};
  int64_t* before = found.where.mutable_data_ptr<int64_t>();
  before[0] = 0;
  pieces.for_each([&](int64_t i, int64_t begin, int64_t end) {
    before[i + 1] = count_nonzero_stub(kCPU, self.const_data_ptr(), self.scalar_type(), begin, end);
  });
  for (int64_t i = 0; i < pieces.count; ++i) before[i + 1] += before[i];
  found.count = before[pieces.count];
  return found;
}

void write_nonzero(const NonzeroElements& found, const TensorBase& self, const TensorBase& result) {
  const int64_t* before = found.where.const_data_ptr<int64_t>();
  int64_t* out = result.mutable_data_ptr<int64_t>();
  const int64_t row_stride = result.strides()[0], column_stride = result.strides()[1];
  pieces_of(found, self).for_each([&](int64_t i, int64_t begin, int64_t end) {
    nonzero_stub(kCPU, self.const_data_ptr(), self.scalar_type(), begin, end, self.sizes(),
                 out + before[i] * row_stride, row_stride, column_stride);
  });
}

void select_nonzero(const NonzeroElements& found, const TensorBase& self, const TensorBase& mask,
                    const TensorBase& result) {
  const int64_t* before = found.where.const_data_ptr<int64_t>();
  const auto itemsize = static_cast<int64_t>(self.itemsize());
  char* out = static_cast<char*>(result.mutable_data_ptr());
  pieces_of(found, self).for_each([&](int64_t i, int64_t begin, int64_t end) {
    masked_select_stub(kCPU, self.const_data_ptr(), mask.const_data_ptr<bool>(), itemsize, begin, end,
                       out + before[i] * itemsize);
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(find_nonzero_stub, &find_nonzero)
REGISTER_ALL_CPU_DISPATCH(write_nonzero_stub, &write_nonzero)
REGISTER_ALL_CPU_DISPATCH(select_nonzero_stub, &select_nonzero)

Tensor nonzero_cpu(const Tensor& self) { return nonzero_by_stub(self); }

Tensor& nonzero_out_cpu(const Tensor& self, Tensor& result) { return nonzero_by_stub(self, result); }

Tensor masked_select_cpu(const Tensor& self, const Tensor& mask) { return masked_select_by_stub(self, mask); }

Tensor& masked_select_out_cpu(const Tensor& self, const Tensor& mask, Tensor& result) {
  return masked_select_by_stub(self, mask, result);
}

}  // namespace at::native
