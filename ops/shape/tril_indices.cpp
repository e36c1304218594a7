// tril_indices and triu_indices.
#include <ATen/core/Tensor.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/to.h>
#include <ATen/ops/tril_indices_native.h>
#include <ATen/ops/triu_indices_native.h>

#include <algorithm>

namespace at::native {

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

// The number of elements on the diagonal and below it: rows of increasing length, then full ones.
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
