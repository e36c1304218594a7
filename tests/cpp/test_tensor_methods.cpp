// What users write on at::Tensor besides operators: autograd's methods, indexing, printing, options.
#include <ATen/ATen.h>

#include <sstream>

#include "check.h"

using at::Tensor;
using namespace at::indexing;

static std::string printed(const Tensor& t) {
  std::ostringstream stream;
  stream << t;
  return stream.str();
}

static Tensor longs(std::initializer_list<int64_t> values) {
  Tensor t = at::empty({static_cast<int64_t>(values.size())}, at::kLong);
  std::copy(values.begin(), values.end(), t.data_ptr<int64_t>());
  return t;
}

static void test_autograd_methods() {
  const Tensor x = at::full({2}, 3.0, at::kDouble).requires_grad_();
  CHECK(x.requires_grad());
  CHECK(x.is_leaf());
  CHECK(!x.grad().defined());
  const Tensor y = (x * x).sum();
  CHECK(!y.is_leaf());
  y.retain_grad();
  CHECK(y.retains_grad());
  y.backward({}, /*retain_graph=*/true);
  CHECK_EQ(x.grad().sum().item<double>(), 12.0);
  CHECK_EQ(y.grad().item<double>(), 1.0);
  y.backward(at::full({}, 2.0, at::kDouble));
  CHECK_EQ(x.grad().sum().item<double>(), 36.0);
  x.mutable_grad() = Tensor();
  CHECK(!x.grad().defined());
  CHECK_THROWS(y.requires_grad_(false), c10::Error, "leaf");
  CHECK_THROWS(at::ones({2}, at::kLong).requires_grad_(), c10::Error, "floating point");
  const Tensor z = at::ones({2}).requires_grad_(), w = at::ones({2}).requires_grad_();
  const Tensor inputs[] = {z};
  (z * w).sum().backward({}, std::nullopt, false, at::TensorList(inputs));
  CHECK(z.grad().defined());
  CHECK(!w.grad().defined());
}

static void test_options_require_grad() {
  CHECK(at::ones({2}, at::TensorOptions().dtype(at::kDouble).requires_grad(true)).requires_grad());
  CHECK(at::ones({2}, at::requires_grad()).is_leaf());
  CHECK(!at::ones({2}, at::requires_grad(false)).requires_grad());
  CHECK(at::empty_like(at::ones({2}, at::kLong), at::TensorOptions(at::kFloat).requires_grad(true))
            .requires_grad());
  CHECK(at::ones({2}).new_zeros({3}, at::requires_grad()).requires_grad());
  CHECK_THROWS(at::ones({2}, at::TensorOptions(at::kInt).requires_grad(true)), c10::Error, "floating point");
}

static void test_operators_without_more_headers() {
  const Tensor x = at::arange(3);
  CHECK((-x).equal(at::neg(x)));
  CHECK((~x).equal(at::bitwise_not(x)));
  CHECK((2 - x).equal(at::rsub(x, 2)));
}

static void test_index() {
  const Tensor x = at::arange(24).view({2, 3, 4});
  CHECK(x.index({1}).equal(x.select(0, 1)));
  CHECK(x.index({-1, "...", 0}).equal(x.select(0, 1).select(1, 0)));
  CHECK(x.index({Slice(), None}).equal(x.unsqueeze(1)));
  CHECK(x.index({Ellipsis, Slice(1, None, 2)}).equal(x.slice(2, 1, 4, 2)));
  CHECK(x.index({Slice(None, -1), 2}).equal(x.slice(0, 0, 1).select(1, 2)));
  CHECK(x.index({true}).equal(x.unsqueeze(0)));
  CHECK_EQ(x.index({false}).numel(), 0);
  const Tensor rows = longs({2, 0});
  CHECK(x.index({Slice(), rows}).equal(x.index_select(1, rows)));
  CHECK(x.index({rows.slice(0, 1), Slice(), rows}).equal(x.select(0, 0).index_select(1, rows).t()));
  CHECK(x.index({x > 20}).equal(at::arange(21, 24)));
  CHECK(x.index({at::scalar_tensor(1, at::kLong)}).equal(x.select(0, 1)));
  const Tensor whole = x.index({Slice()});
  CHECK(!whole.is_same(x));
  CHECK_EQ(whole.const_data_ptr(), x.const_data_ptr());
  CHECK_THROWS(x.index({0, 0, 0, 0}), c10::IndexError, "too many indices");
  CHECK_THROWS(x.index({5}), c10::IndexError, "");
  CHECK_THROWS(Slice(0, 1, -1), c10::ValueError, "step");
  CHECK_THROWS(TensorIndex(".."), c10::ValueError, "...");
  const std::vector<TensorIndex> several = {0, Slice(1)};
  CHECK(x.index(several).equal(x.select(0, 0).slice(0, 1)));
}

static void test_index_put() {
  Tensor x = at::zeros({2, 3});
  x.index_put_({1, Slice(1)}, 5);
  CHECK_EQ(x.sum().item<double>(), 10.0);
  x.index_put_({Slice(), 0}, at::ones({2}));
  CHECK_EQ(x.sum().item<double>(), 12.0);
  x.index_put_({x > 2}, -1.0);
  CHECK_EQ(x.sum().item<double>(), 0.0);
  x.index_put_({longs({1, 0}), longs({0, 1})}, at::full({1, 2}, 7.0));
  CHECK_EQ(x.sum().item<double>(), 13.0);
  x.index_put_({Ellipsis}, 0);
  CHECK_EQ(x.sum().item<double>(), 0.0);
}

static void test_print() {
  CHECK_EQ(printed(Tensor()), std::string("[ Tensor (undefined) ]"));
  CHECK_EQ(printed(at::full({}, 3, at::kLong)), std::string("3\n[ CPULongType{} ]"));
  CHECK_EQ(printed(at::arange(4).view({2, 2}) * 5), std::string("  0   5\n 10  15\n[ CPULongType{2,2} ]"));
  CHECK_EQ(printed(at::full({2}, 1.5)), std::string(" 1.5000\n 1.5000\n[ CPUFloatType{2} ]"));
  CHECK_EQ(printed(at::ones({2, 1, 1})),
           std::string("(1,.,.) = \n 1\n\n(2,.,.) = \n 1\n[ CPUFloatType{2,1,1} ]"));
  CHECK_EQ(printed(at::empty({0, 3})), std::string("[ CPUFloatType{0,3} ]"));
  CHECK_EQ(printed(at::full({1}, c10::complex<double>(1, -2), at::kComplexDouble)),
           std::string(" 1-2j\n[ CPUComplexDoubleType{1} ]"));
}

int main() {
  RUN(test_autograd_methods);
  RUN(test_options_require_grad);
  RUN(test_operators_without_more_headers);
  RUN(test_index);
  RUN(test_index_put);
  RUN(test_print);
  return check_result();
}
