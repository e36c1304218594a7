// Elements in another order: rolled, turned, repeated each; differences of neighbours; places in a triangle.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/diff.h>
#include <ATen/ops/diff_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/fliplr_native.h>
#include <ATen/ops/flipud_native.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/logical_xor.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/repeat_interleave_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/roll.h>
#include <ATen/ops/roll_native.h>
#include <ATen/ops/rot90_native.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/to.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/tril_indices_native.h>
#include <ATen/ops/triu_indices_native.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

#include <algorithm>
#include <cstdlib>

namespace at::native {

// -------------------- roll, rot90, flips

namespace {

Tensor rolled(const Tensor& self, int64_t shift, int64_t dim) {
  const int64_t size = self.size(dim);
  const int64_t start = ((-(shift % size)) % size + size) % size;
  return at::cat({self.narrow(dim, start, size - start), self.narrow(dim, 0, start)}, dim);
}

}  // namespace

Tensor roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims) {
  TORCH_CHECK(!shifts.empty(), "roll(): `shifts` required");
  if (dims.empty() && shifts.size() == 1) {
    const Tensor flat = self.contiguous().view({-1});
    return self.numel() == 0 ? self.clone() : rolled(flat, shifts[0], 0).view(self.sizes());
  }
  TORCH_CHECK(shifts.size() == dims.size(),
              "roll(): shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
  for (const int64_t dim : dims) maybe_wrap_dim(dim, self.dim(), /*wrap_scalar=*/false);
  if (self.numel() == 0) return self.clone();
  Tensor result = self;
  for (size_t i = 0; i < dims.size(); ++i) {
    result = rolled(result, shifts[i], maybe_wrap_dim(dims[i], self.dim()));
  }
  return result.is_same(self) ? self.clone() : result;
}

Tensor rot90(const Tensor& self, int64_t k, IntArrayRef dims) {
  TORCH_CHECK(dims.size() == 2, "rot90(): expected total rotation dims == 2, but got dims = ", dims.size());
  TORCH_CHECK(self.dim() >= 2, "rot90(): expected total dims >= 2, but got total dims = ", self.dim());
  const int64_t from = maybe_wrap_dim(dims[0], self.dim()), to = maybe_wrap_dim(dims[1], self.dim());
  TORCH_CHECK(from != to, "rot90(): expected rotation dims to be different, but got dim0 = ", dims[0],
              " and dim1 = ", dims[1]);
  switch ((4 + k % 4) % 4) {
    case 1:
      return self.flip({to}).transpose(from, to);
    case 2:
      return self.flip({from, to});
    case 3:
      return self.flip({from}).transpose(from, to);
    default:
      return self.clone(MemoryFormat::Contiguous);
  }
}

Tensor fliplr(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 2, "fliplr(): Input must be >= 2-d.");
  return self.flip({1});
}

Tensor flipud(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 1, "flipud(): Input must be >= 1-d.");
  return self.flip({0});
}

// -------------------- repeat_interleave

Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size) {
  TORCH_CHECK(repeats.dim() == 1, "repeat_interleave only accept 1D vector as repeat");
  TORCH_CHECK(repeats.scalar_type() == kLong || repeats.scalar_type() == kInt,
              "repeat_interleave(): repeats has to be Long or Int tensor");
  const Tensor counts = repeats.to(kLong).contiguous();
  const auto* count = counts.const_data_ptr<int64_t>();
  const int64_t n = counts.numel();
  int64_t total = 0;
  for (int64_t i = 0; i < n; ++i) {
    TORCH_CHECK(count[i] >= 0, "repeat_interleave(): repeats can not be negative");
    TORCH_CHECK(!__builtin_add_overflow(total, count[i], &total), "repeat_interleave(): too many elements");
  }
  TORCH_CHECK(!output_size || *output_size == total,
              "repeat_interleave(): allocated size does not match required size: ", output_size.value_or(0),
              " and ", total);
  const Tensor result = at::empty({total}, counts.options());
  auto* out = total > 0 ? result.mutable_data_ptr<int64_t>() : nullptr;
  for (int64_t i = 0; i < n; ++i) out = std::fill_n(out, count[i], i);
  return result.to(repeats.scalar_type());
}

// How often elements are repeated isn't known there: only `output_size` says how many they become.
Tensor repeat_interleave_meta(const Tensor& repeats, std::optional<int64_t> output_size) {
  TORCH_CHECK_NOT_IMPLEMENTED(output_size,
                              "repeat_interleave(): repeats on the Meta device need output_size");
  return at::empty({*output_size}, repeats.options());
}

Tensor repeat_interleave_symint(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim,
                                std::optional<c10::SymInt> output_size) {
  const Tensor input = dim ? self : self.flatten();
  const int64_t along = maybe_wrap_dim(dim.value_or(0), input.dim());
  const int64_t size = input.dim() == 0 ? 1 : input.size(along);
  Tensor each = repeats;
  if (repeats.dim() == 0 || (repeats.dim() == 1 && repeats.size(0) == 1)) {
    each = repeats.reshape({1}).expand({size});
  } else {
    TORCH_CHECK(repeats.dim() == 1, "repeat_interleave(): repeats must be 0-dim or 1-dim tensor");
    TORCH_CHECK(repeats.size(0) == size,
                "repeat_interleave(): repeats must have the same size as input along dim, ",
                "but got repeats.size(0) = ", repeats.size(0), " and input.size(", along, ") = ", size);
  }
  return input.index_select(along, at::repeat_interleave_symint(each, output_size));
}

Tensor repeat_interleave_symint(const Tensor& self, c10::SymInt repeats, std::optional<int64_t> dim_opt,
                                std::optional<c10::SymInt> /*output_size*/) {
  const Tensor input = dim_opt && self.dim() > 0 ? self : self.flatten();
  const int64_t dim = maybe_wrap_dim(dim_opt.value_or(0), self.dim());
  const int64_t count = repeats.expect_int();
  TORCH_CHECK(count >= 0, "repeat_interleave(): Repeats must be non-negative");
  const Tensor wide = input.unsqueeze(dim + 1);
  DimVector sizes(wide.sizes().begin(), wide.sizes().end());
  sizes[dim + 1] = count;
  return wide.expand(sizes).clone(MemoryFormat::Contiguous).flatten(dim, dim + 1);
}

// -------------------- diff

namespace {

void check_attached(const Tensor& self, const std::optional<Tensor>& other, int64_t dim) {
  if (!other || !other->defined()) return;
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(other->dim() == self.dim(),
              "diff expects prepend or append to be the same dimension as input, but got ", other->dim(),
              " dimensions and ", self.dim());
  for (int64_t d = 0; d < self.dim(); ++d) {
    TORCH_CHECK(
        d == wrapped || other->size(d) == self.size(d),
        "diff expects the shape of tensor to prepend or append to match that of input except along the "
        "differencing dimension; input.size(",
        d, ") = ", self.size(d), ", but got tensor.size(", d, ") = ", other->size(d));
  }
}

Tensor attached(const Tensor& self, int64_t dim, const std::optional<Tensor>& prepend,
                const std::optional<Tensor>& append) {
  std::vector<Tensor> parts;
  if (prepend && prepend->defined()) parts.push_back(*prepend);
  parts.push_back(self);
  if (append && append->defined()) parts.push_back(*append);
  return parts.size() == 1 ? self : at::cat(parts, dim);
}

}  // namespace

Tensor diff(const Tensor& self, int64_t n, int64_t dim, const std::optional<Tensor>& prepend,
            const std::optional<Tensor>& append) {
  TORCH_CHECK(self.dim() >= 1, "diff expects input to be at least one-dimensional");
  TORCH_CHECK(n >= 0, "diff(): order must be non-negative but got ", n);
  check_attached(self, prepend, dim);
  check_attached(self, append, dim);
  if (n == 0) return self.clone();
  Tensor result = attached(self, dim, prepend, append);
  int64_t length = result.size(dim);
  if (n >= length && length > 1) {  // nothing is left, whatever is subtracted on the way
    result = result.narrow(dim, 0, 1);
    length = 1;
  }
  for (; n > 0 && length > 0; --n) {
    --length;
    const Tensor left = result.narrow(dim, 0, length), right = result.narrow(dim, 1, length);
    result = self.scalar_type() == kBool ? right.logical_xor(left) : right.sub(left);
  }
  return result;
}

Tensor& diff_out(const Tensor& self, int64_t n, int64_t dim, const std::optional<Tensor>& prepend,
                 const std::optional<Tensor>& append, Tensor& out) {
  const Tensor result = at::diff(self, n, dim, prepend, append);
  TORCH_CHECK(n > 0 || result.scalar_type() == out.scalar_type(), "diff(): expected out of dtype ",
              result.scalar_type(), " for differences of order 0, but got ", out.scalar_type());
  return write_result("diff()", out, result);
}

// -------------------- Places in a triangle

namespace {

// The columns of row r that belong to it: [first, last).
struct Columns {
  int64_t first, last;
};

Columns columns_of(int64_t r, int64_t columns, int64_t offset, bool upper) {
  const auto edge = static_cast<int64_t>(
      std::clamp<__int128>(static_cast<__int128>(r) + offset + (upper ? 0 : 1), 0, columns));
  return upper ? Columns{edge, columns} : Columns{0, edge};
}

// How many places are on the diagonal and below it: rows that grow by one, then whole ones.
int64_t places_below(int64_t rows, int64_t columns, __int128 offset) {
  const auto row = [&](__int128 r) { return static_cast<int64_t>(std::clamp<__int128>(r, 0, rows)); };
  const int64_t first = row(-offset), whole = row(columns - offset - 1);
  const __int128 growing = static_cast<__int128>(whole - first) * (2 * offset + first + whole + 1) / 2;
  return static_cast<int64_t>(growing + static_cast<__int128>(rows - whole) * columns);
}

Tensor triangle_indices(const char* name, int64_t rows, int64_t columns, int64_t offset, bool upper,
                        std::optional<ScalarType> dtype, std::optional<Layout> layout,
                        std::optional<Device> device) {
  TORCH_CHECK(rows >= 0, name, "(): row must be non-negative, got ", rows);
  TORCH_CHECK(columns >= 0, name, "(): col must be non-negative, got ", columns);
  TORCH_CHECK(layout.value_or(kStrided) == kStrided, name, "(): only support layout=torch.strided");
  TORCH_CHECK(columns == 0 || rows < (int64_t{1} << 60) / columns, name, "(): too many elements: ", rows,
              " x ", columns);
  const int64_t below = places_below(rows, columns, static_cast<__int128>(offset) - (upper ? 1 : 0));
  const int64_t total = upper ? rows * columns - below : below;
  const Tensor result = at::empty({2, total}, TensorOptions().dtype(kLong));
  auto *row_out = total > 0 ? result.mutable_data_ptr<int64_t>() : nullptr, *column_out = row_out + total;
  const auto first_row =
      static_cast<int64_t>(std::clamp<__int128>(upper ? 0 : -static_cast<__int128>(offset), 0, rows));
  for (int64_t r = first_row, left = total; left > 0; ++r) {
    const Columns row = columns_of(r, columns, offset, upper);
    row_out = std::fill_n(row_out, row.last - row.first, r);
    for (int64_t c = row.first; c < row.last; ++c) *column_out++ = c;
    left -= row.last - row.first;
  }
  return result.to(TensorOptions().dtype(dtype.value_or(kLong)).device(device.value_or(kCPU)));
}

}  // namespace

Tensor tril_indices(int64_t row, int64_t col, int64_t offset, std::optional<ScalarType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device, std::optional<bool>) {
  return triangle_indices("tril_indices", row, col, offset, /*upper=*/false, dtype, layout, device);
}

Tensor triu_indices(int64_t row, int64_t col, int64_t offset, std::optional<ScalarType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device, std::optional<bool>) {
  return triangle_indices("triu_indices", row, col, offset, /*upper=*/true, dtype, layout, device);
}

}  // namespace at::native
