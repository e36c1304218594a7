// cpu_kernel over contiguous, broadcast, strided and transposed operands, and copies between them.
#define CPU_CAPABILITY TEST
#include <ATen/native/cpu/Loops.h>

#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/ViewUtils.h>
#include <ATen/native/copy/stubs.h>

#include "check.h"

using namespace at;

namespace {

TensorBase counting(IntArrayRef sizes) {
  auto t = at::detail::empty_cpu(sizes, kFloat);
  float* p = t.mutable_data_ptr<float>();
  for (int64_t i = 0; i < t.numel(); i++) {
    p[i] = static_cast<float>(i % 1000);
  }
  return t;
}

float at_index(const TensorBase& t, int64_t i, int64_t j) {
  return t.const_data_ptr<float>()[i * t.strides()[0] + j * t.strides()[1]];
}

// out[i, j] = 2 a[i, j] + b[i, j] for tensors of any strides.
void check_binary(const TensorBase& a, const TensorBase& b, int64_t rows, int64_t columns) {
  const TensorBase undefined;
  auto iter = TensorIterator::borrowing_binary_op(undefined, a, b);
  native::cpu_kernel(iter, [](float x, float y) { return 2 * x + y; });
  const TensorBase& out = iter.output_base();
  const auto ea = at::inferExpandGeometry_dimvector(a.sizes(), a.strides(), {rows, columns});
  const auto eb = at::inferExpandGeometry_dimvector(b.sizes(), b.strides(), {rows, columns});
  int64_t wrong = 0;
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) {
      const float x = a.const_data_ptr<float>()[i * ea.strides[0] + j * ea.strides[1]];
      const float y = b.const_data_ptr<float>()[i * eb.strides[0] + j * eb.strides[1]];
      wrong += at_index(out, i, j) != 2 * x + y;
    }
  }
  CHECK_EQ(wrong, 0);
}

void test_strides() {
  for (int64_t rows : {1, 3, 40, 700}) {
    for (int64_t columns : {1, 5, 17, 600}) {
      const auto a = counting({rows, columns}), b = counting({rows, columns});
      const auto row = counting({columns}), column = counting({rows, 1}), number = counting({});
      const auto storage = counting({columns, 2 * rows});
      const auto turned = at::detail::make_view(storage, {rows, columns}, {2, 2 * rows}, 0);
      check_binary(a, b, rows, columns);
      check_binary(a, row, rows, columns);
      check_binary(row, a, rows, columns);
      check_binary(a, column, rows, columns);
      check_binary(column, row, rows, columns);
      check_binary(a, number, rows, columns);
      check_binary(turned, a, rows, columns);
      check_binary(a, turned, rows, columns);
      check_binary(turned, turned, rows, columns);
    }
  }
}

void test_in_place() {
  const auto a = counting({1000});
  auto iter = TensorIterator::borrowing_binary_op(a, a, a);
  native::cpu_kernel(iter, [](float x, float y) { return x + y; });
  CHECK_EQ(a.const_data_ptr<float>()[999], 1998.0f);
}

void test_several_outputs() {
  const auto a = counting({100});
  const TensorBase sum = at::detail::empty_cpu({100}, kFloat), twice = at::detail::empty_cpu({100}, kFloat);
  auto iter = TensorIteratorConfig().add_output(sum).add_output(twice).add_const_input(a).build();
  native::cpu_kernel_multiple_outputs(iter, [](float x) { return std::tuple<float, float>(x + 1, 2 * x); });
  CHECK_EQ(sum.const_data_ptr<float>()[7], 8.0f);
  CHECK_EQ(twice.const_data_ptr<float>()[7], 14.0f);
}

void test_serial_has_state() {
  const TensorBase out = at::detail::empty_cpu({3, 4}, kFloat);
  auto iter = TensorIterator::borrowing_nullary_op(out);
  float next = 0;
  native::cpu_serial_kernel(iter, [&]() { return next++; });
  CHECK_EQ(out.const_data_ptr<float>()[11], 11.0f);
}

TensorIterator copy_iterator(const TensorBase& to, const TensorBase& from) {
  return TensorIteratorConfig()
      .add_output(to)
      .add_const_input(from)
      .resize_outputs(false)
      .check_all_same_dtype(false)
      .build();
}

void test_transposed_copies() {
  for (auto dtype : {kByte, kHalf, kFloat, kDouble, kComplexDouble}) {
    for (int64_t rows : {8, 37, 130}) {
      for (int64_t columns : {9, 64, 101}) {
        const auto from = at::detail::empty_cpu({rows, columns}, dtype);
        const auto size = static_cast<int64_t>(from.element_size());
        auto* bytes = static_cast<uint8_t*>(from.mutable_data_ptr());
        for (int64_t i = 0; i < from.numel() * size; i++) {
          bytes[i] = static_cast<uint8_t>(i * 7 + i / 251);
        }
        const auto to = at::detail::empty_cpu({columns, rows}, dtype);
        const auto turned = at::detail::make_view(from, {columns, rows}, {1, columns}, 0);
        auto iter = copy_iterator(to, turned);
        native::copy_stub(kCPU, iter, false);
        const auto* result = static_cast<const uint8_t*>(to.const_data_ptr());
        int64_t wrong = 0;
        for (int64_t r = 0; r < rows; r++) {
          for (int64_t c = 0; c < columns; c++) {
            wrong += std::memcmp(result + (c * rows + r) * size, bytes + (r * columns + c) * size, size) != 0;
          }
        }
        CHECK_EQ(wrong, 0);
      }
    }
  }
}

void test_conversions() {
  const auto from = counting({300});
  for (auto dtype : {kBool, kChar, kShort, kInt, kLong, kHalf, kBFloat16, kDouble, kComplexFloat}) {
    const auto there = at::detail::empty_cpu({300}, dtype), back = at::detail::empty_cpu({300}, kFloat);
    auto to = copy_iterator(there, from);
    native::copy_stub(kCPU, to, false);
    auto fro = copy_iterator(back, there);
    native::copy_stub(kCPU, fro, false);
    CHECK_EQ(back.const_data_ptr<float>()[100], dtype == kBool ? 1.0f : 100.0f);
  }
  const auto odd = at::detail::make_view(from, {150}, {2}, 1);
  const auto ints = at::detail::empty_cpu({150}, kInt);
  auto iter = copy_iterator(ints, odd);
  native::copy_stub(kCPU, iter, false);
  CHECK_EQ(ints.const_data_ptr<int32_t>()[149], 299);
}

void test_fill() {
  const auto t = counting({100});
  const TensorBase every_third = at::detail::make_view(t, {33}, {3}, 0);
  auto iter = TensorIterator::borrowing_nullary_op(every_third);
  native::fill_stub(kCPU, iter, Scalar(-1));
  CHECK_EQ(t.const_data_ptr<float>()[96], -1.0f);
  CHECK_EQ(t.const_data_ptr<float>()[97], 97.0f);
}

}  // namespace

int main() {
  check::run("strides", test_strides);
  check::run("in_place", test_in_place);
  check::run("several_outputs", test_several_outputs);
  check::run("serial_has_state", test_serial_has_state);
  check::run("transposed_copies", test_transposed_copies);
  check::run("conversions", test_conversions);
  check::run("fill", test_fill);
  return check_result();
}
