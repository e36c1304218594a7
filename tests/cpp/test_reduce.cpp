// Reductions against plain loops in long double, for rows, columns and dimensions in between, and their
// accuracy.
#include <ATen/EmptyTensor.h>
#include <ATen/ViewUtils.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <ATen/native/reduction/stubs.h>
#include <ATen/native/scan/stubs.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.h"

using namespace at;
using native::Accumulation;

namespace {

uint32_t state = 1;

float next_random() {
  state = state * 1664525u + 1013904223u;
  return static_cast<float>(state >> 8) / (1 << 24) - 0.5f;
}

TensorBase random_tensor(IntArrayRef sizes) {
  auto t = at::detail::empty_cpu(sizes, kFloat);
  for (int64_t i = 0; i < t.numel(); i++) {
    t.mutable_data_ptr<float>()[i] = next_random();
  }
  return t;
}

template <class Stub, class... Args>
TensorBase reduce(Stub& stub, const TensorBase& self, IntArrayRef dims, ScalarType dtype, Args... args) {
  auto shape = meta::get_reduction_shape(self, dims, /*keepdim=*/false);
  auto result = at::detail::empty_cpu(shape, dtype);
  auto iter = meta::make_reduction(self, result, dims, /*keepdim=*/false);
  stub(kCPU, iter, args...);
  return result;
}

TensorBase accumulate(Accumulation kind, const TensorBase& self, IntArrayRef dims, ScalarType dtype) {
  return reduce(native::accumulate_stub, self, dims, dtype, kind);
}

// Shape {outer, n, inner} folded along the middle dimension.
struct Case {
  int64_t outer, n, inner;
};
const Case cases[] = {{1, 1, 1}, {1, 7, 1},     {3, 1000, 1}, {1, 300, 5},    {1, 130, 64}, {4, 33, 70},
                      {2, 5, 3}, {1, 70000, 1}, {1, 2000, 3}, {1, 300, 1500}, {5, 1, 6},    {1, 400000, 1}};

template <class Check>
void for_each_output(const TensorBase& in, const Case& c, const Check& check_one) {
  for (int64_t o = 0; o < c.outer; o++) {
    for (int64_t i = 0; i < c.inner; i++) {
      std::vector<float> values(static_cast<size_t>(c.n));
      for (int64_t k = 0; k < c.n; k++) {
        values[k] = in.const_data_ptr<float>()[(o * c.n + k) * c.inner + i];
      }
      check_one(o * c.inner + i, values);
    }
  }
}

void test_sums_and_moments() {
  for (const auto& c : cases) {
    const auto in = random_tensor({c.outer, c.n, c.inner});
    const auto sum = accumulate(Accumulation::Sum, in, {1}, kFloat);
    const auto mean = accumulate(Accumulation::Mean, in, {1}, kFloat);
    const auto var = reduce(native::std_var_stub, in, {1}, kFloat, 0.0, false);
    double worst = 0;
    for_each_output(in, c, [&](int64_t at, const std::vector<float>& values) {
      long double total = 0, squares = 0, size = 0;
      for (float v : values) {
        total += v;
        size += std::fabs(v);
      }
      const long double m = total / c.n;
      for (float v : values) {
        squares += (v - m) * (v - m);
      }
      const auto scale = static_cast<double>(size);
      worst =
          std::max(worst, std::fabs(sum.const_data_ptr<float>()[at] - static_cast<double>(total)) / scale);
      worst = std::max(worst,
                       std::fabs(mean.const_data_ptr<float>()[at] - static_cast<double>(m)) / (scale / c.n));
      worst =
          std::max(worst, std::fabs(var.const_data_ptr<float>()[at] - static_cast<double>(squares / c.n)));
    });
    CHECK(worst < 3e-7);
  }
}

void test_extrema_and_positions() {
  for (const auto& c : cases) {
    const auto in = random_tensor({c.outer, c.n, c.inner});
    const auto max = reduce(native::max_values_stub, in, {1}, kFloat);
    const auto min = reduce(native::min_values_stub, in, {1}, kFloat);
    const auto argmax = reduce(native::argmax_stub, in, {1}, kLong);
    const auto argmin = reduce(native::argmin_stub, in, {1}, kLong);
    int64_t wrong = 0;
    for_each_output(in, c, [&](int64_t at, const std::vector<float>& values) {
      const auto largest = std::max_element(values.begin(), values.end());
      const auto smallest = std::min_element(values.begin(), values.end());
      wrong += max.const_data_ptr<float>()[at] != *largest;
      wrong += min.const_data_ptr<float>()[at] != *smallest;
      wrong += argmax.const_data_ptr<int64_t>()[at] != largest - values.begin();
      wrong += argmin.const_data_ptr<int64_t>()[at] != smallest - values.begin();
    });
    CHECK_EQ(wrong, 0);
  }
}

void test_nan_is_an_extremum() {
  for (int64_t n : {3, 40, 5000}) {
    const auto in = random_tensor({n, 8});
    in.mutable_data_ptr<float>()[(n - 1) * 8 + 2] = std::numeric_limits<float>::quiet_NaN();
    in.mutable_data_ptr<float>()[(n / 2) * 8 + 2] = std::numeric_limits<float>::quiet_NaN();
    for (const auto& dims : {std::vector<int64_t>{0}, std::vector<int64_t>{0, 1}}) {
      const auto max = reduce(native::max_values_stub, in, dims, kFloat);
      CHECK(std::isnan(max.const_data_ptr<float>()[dims.size() == 1 ? 2 : 0]));
    }
    CHECK_EQ(reduce(native::argmax_stub, in, {0}, kLong).const_data_ptr<int64_t>()[2], n / 2);
    const auto flat = at::detail::make_view(in, {n * 8}, {1}, 0);
    CHECK_EQ(*reduce(native::argmin_stub, flat, {0}, kLong).const_data_ptr<int64_t>(), (n / 2) * 8 + 2);
  }
}

void test_logic_and_integers() {
  for (int64_t n : {1, 100, 5000, 300000}) {
    const auto mask = at::detail::empty_cpu({n}, kBool);
    std::memset(mask.mutable_data_ptr(), 1, static_cast<size_t>(n));
    CHECK_EQ(*reduce(native::and_stub, mask, {0}, kBool).const_data_ptr<bool>(), true);
    CHECK_EQ(*accumulate(Accumulation::Sum, mask, {0}, kLong).const_data_ptr<int64_t>(), n);
    mask.mutable_data_ptr<bool>()[n - 1] = false;
    CHECK_EQ(*reduce(native::and_stub, mask, {0}, kBool).const_data_ptr<bool>(), false);
    CHECK_EQ(*reduce(native::or_stub, mask, {0}, kBool).const_data_ptr<bool>(), n > 1);
  }
  const auto bytes = at::detail::empty_cpu({3, 4}, kChar);
  for (int i = 0; i < 12; i++) {
    bytes.mutable_data_ptr<int8_t>()[i] = static_cast<int8_t>(100 + i);
  }
  CHECK_EQ(*accumulate(Accumulation::Sum, bytes, {0, 1}, kLong).const_data_ptr<int64_t>(), 1266);
  CHECK_EQ(accumulate(Accumulation::Prod, bytes, {0}, kLong).const_data_ptr<int64_t>()[0], 100 * 104 * 108);
}

// The first mean differs from zero by more than can be squared.
void test_variance_of_large_values() {
  const auto in = at::detail::empty_cpu({40, 20}, kDouble);
  std::fill_n(in.mutable_data_ptr<double>(), in.numel(), 0x1p600);
  for (const int64_t dim : {0, 1}) {
    const auto var = reduce(native::std_var_stub, in, {dim}, kDouble, 0.0, false);
    CHECK_EQ(var.const_data_ptr<double>()[0], 0.0);
  }
}

void test_long_sums_are_accurate() {
  const int64_t n = 10'000'000;
  const auto in = at::detail::empty_cpu({n}, kFloat);
  std::fill_n(in.mutable_data_ptr<float>(), n, 0.1f);
  const double expected = static_cast<double>(0.1f) * n;
  const double sum = *accumulate(Accumulation::Sum, in, {0}, kFloat).const_data_ptr<float>();
  CHECK(std::fabs(sum - expected) <= 1e-6 * expected);
  const auto columns = at::detail::make_view(in, {n / 10, 10}, {10, 1}, 0);
  const double column = accumulate(Accumulation::Sum, columns, {0}, kFloat).const_data_ptr<float>()[3];
  CHECK(std::fabs(column - expected / 10) <= 1e-6 * expected / 10);
}

void test_running_sums() {
  const auto in = random_tensor({7, 50, 9});
  for (int64_t dim = 0; dim < 3; dim++) {
    const auto out = at::detail::empty_cpu({7, 50, 9}, kFloat);
    native::cumsum_stub(kCPU, out, in, dim);
    const int64_t stride = in.strides()[dim], size = in.sizes()[dim];
    double worst = 0;
    for (int64_t i = 0; i < in.numel(); i++) {
      double total = 0;
      for (int64_t k = 0; k <= i / stride % size; k++) {
        total += in.const_data_ptr<float>()[i - k * stride];
      }
      worst = std::max(worst, std::fabs(total - out.const_data_ptr<float>()[i]));
    }
    CHECK(worst < 1e-6);
  }
}

}  // namespace

int main() {
  check::run("sums_and_moments", test_sums_and_moments);
  check::run("extrema_and_positions", test_extrema_and_positions);
  check::run("nan_is_an_extremum", test_nan_is_an_extremum);
  check::run("logic_and_integers", test_logic_and_integers);
  check::run("variance_of_large_values", test_variance_of_large_values);
  check::run("long_sums_are_accurate", test_long_sums_are_accurate);
  check::run("running_sums", test_running_sums);
  return check_result();
}
