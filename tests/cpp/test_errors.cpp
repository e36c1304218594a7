// Bad arguments from C++: each is an exception of the right class that names the operator and what is wrong.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <limits>

#include "check.h"

using at::Tensor;
using c10::Error;
using c10::IndexError;

static const int64_t kHuge = std::numeric_limits<int64_t>::max();

static Tensor ones(at::IntArrayRef sizes, at::ScalarType dtype = at::kFloat) {
  return at::ones(sizes, dtype);
}

// Both texts are in the message.
#define CHECK_NAMES(statement, Exception, op, part) \
  do {                                              \
    CHECK_THROWS(statement, Exception, op);         \
    CHECK_THROWS(statement, Exception, part);       \
  } while (0)

static void test_undefined() {
  const Tensor none, t = ones({2});
  Tensor out = ones({2});
  CHECK_NAMES(at::add(none, t), Error, "aten::add", "argument 'self' (position 1)");
  CHECK_NAMES(at::add(t, none), Error, "aten::add", "argument 'other' (position 2)");
  CHECK_NAMES(at::exp(none), Error, "aten::exp", "'self'");
  CHECK_NAMES(at::mm(ones({2, 2}), none), Error, "aten::mm", "'mat2'");
  CHECK_NAMES(at::where(t.gt(0), none, t), Error, "aten::where", "'self'");
  CHECK_NAMES(at::cat({t, none}), Error, "aten::cat", "'tensors'");
  CHECK_NAMES(at::stack({none}), Error, "aten::", "'tensors'");
  CHECK_NAMES(at::sum(none), Error, "aten::sum", "'self'");
  CHECK_NAMES(at::embedding(none, t), Error, "aten::embedding", "'weight'");
  CHECK_NAMES(at::linear(none, t), Error, "aten::", "'");
  CHECK_NAMES(at::softmax(none, 0), Error, "aten::", "'");
  CHECK_NAMES(at::native_layer_norm(none, {2}, {}, {}, 1e-5), Error, "aten::native_layer_norm", "'input'");
  CHECK_NAMES(at::index_select(t, 0, none), Error, "aten::index_select", "'index'");
  CHECK_NAMES(at::gather(t, 0, none), Error, "aten::gather", "'index'");
  CHECK_NAMES(out.copy_(none), Error, "aten::copy_", "'src'");
  CHECK_NAMES(at::empty_like(none), Error, "aten::empty_like", "'self'");
  CHECK_NAMES(at::equal(t, none), Error, "aten::equal", "'other'");
  CHECK_NAMES(none.view({1}), Error, "aten::view", "'self'");
  CHECK_NAMES(none.t(), Error, "aten::t", "'self'");
  Tensor undefined_out;
  CHECK_NAMES(at::add_out(undefined_out, t, t), Error, "aten::add", "'out'");
  CHECK_NAMES(at::sum_out(undefined_out, t, at::IntArrayRef{0}), Error, "aten::sum", "'out'");
}

// What a tensor itself is asked for, if there is none.
static void test_undefined_members() {
  const Tensor none;
  CHECK_THROWS(none.data_ptr(), Error, "UndefinedTensorImpl");
  CHECK_THROWS(none.item<float>(), Error, "undefined");
  CHECK(!none.defined() && none.numel() == 0);
}

static void test_dtypes() {
  const Tensor t = ones({2, 2}), ints = ones({2, 2}, at::kLong), flags = ones({2}, at::kBool);
  CHECK_NAMES(at::mm(t, ints), Error, "aten::mm", "dtype");
  CHECK_NAMES(at::bitwise_and(t, t), Error, "aten::bitwise_and", "Float");
  CHECK_NAMES(at::sub(flags, flags), Error, "aten::sub", "bool");
  CHECK_NAMES(at::neg(flags), Error, "aten::neg", "bool");
  CHECK_NAMES(at::mean(ints), Error, "aten::mean", "Long");
  CHECK_NAMES(at::softmax(ints, 0), Error, "aten::", "Long");
  CHECK_NAMES(at::index_select(t, 0, ones({1})), Error, "aten::index_select", "index");
  CHECK_NAMES(at::gather(t, 0, t), Error, "aten::gather", "index");
  CHECK_NAMES(at::embedding(t, t), Error, "aten::embedding", "dtype(indices) in Int, Long, but got Float");
  CHECK_NAMES(at::masked_fill(t, ints, 1), Error, "aten::masked_fill", "mask");
  CHECK_NAMES(at::where(t, t, t), Error, "aten::where", "condition");
  Tensor whole = ones({2, 2}, at::kLong);
  CHECK_NAMES(whole.add_(t), Error, "aten::add", "can't be cast");
  CHECK_NAMES(at::mul_out(whole, t, t), Error, "aten::mul", "can't be cast");
  CHECK_NAMES(at::native_layer_norm(ints, {2}, {}, {}, 1e-5), Error, "aten::native_layer_norm", "Long");
  CHECK_NAMES(at::lt(at::ones({2}, at::kComplexFloat), 1), Error, "aten::lt", "omplex");
  CHECK_NAMES(at::maximum(at::ones({2}, at::kComplexFloat), t), Error, "aten::maximum", "omplex");
  CHECK_NAMES(at::sort(at::ones({2}, at::kComplexFloat)), Error, "aten::sort", "omplex");
  CHECK_NAMES(at::empty({1}, static_cast<at::ScalarType>(12)), Error, "", "type");
  CHECK_NAMES(at::empty({1}, static_cast<at::ScalarType>(99)), Error, "", "type");
  CHECK_THROWS(t.data_ptr<double>(), Error, "expected scalar type Double but found Float");
}

static void test_shapes() {
  const Tensor t = ones({2, 3});
  Tensor in_place = ones({2, 3});
  CHECK_NAMES(at::add(t, ones({4})), Error, "aten::add",
              "size of tensor a (3) must match the size of tensor b (4)");
  CHECK_NAMES(at::mm(t, t), Error, "aten::mm", "cannot be multiplied");
  CHECK_NAMES(at::mm(ones({2}), t), Error, "aten::mm", "matrix");
  CHECK_NAMES(at::bmm(t, t), Error, "aten::bmm", "3D");
  CHECK_NAMES(at::addmm(t, t, t), Error, "aten::addmm", "multiplied");
  CHECK_NAMES(at::dot(t, t), Error, "aten::dot", "1D");
  CHECK_NAMES(at::dot(ones({2}), ones({3})), Error, "aten::dot", "size");
  CHECK_NAMES(at::matmul(ones({}), t), Error, "aten::matmul", "0D");
  CHECK_NAMES(at::linear(t, ones({4, 4})), Error, "aten::", "multiplied");
  CHECK_NAMES(t.view({4}), Error, "aten::view", "invalid for input of size 6");
  CHECK_NAMES(t.view({-1, -1}), Error, "aten::view", "only one dimension");
  CHECK_NAMES(t.view({-2, 3}), Error, "aten::view", "-2");
  CHECK_NAMES(at::reshape(ones({0}), {0, -1}), Error, "aten::", "any value");
  CHECK_NAMES(t.expand({2, 4}), Error, "aten::expand", "expand");
  CHECK_NAMES(t.expand({3}), Error, "aten::expand", "dim");
  CHECK_NAMES(at::cat({t, ones({2})}), Error, "aten::cat", "dimension");
  CHECK_NAMES(at::cat({t, ones({3, 2})}), Error, "aten::cat", "size");
  CHECK_NAMES(at::stack({t, ones({3, 2})}), Error, "aten::stack", "size");
  CHECK_NAMES(at::cat(std::vector<Tensor>{}), Error, "aten::cat", "empty");
  CHECK_NAMES(at::stack(std::vector<Tensor>{}), Error, "aten::stack", "empty");
  CHECK_NAMES(at::split(t, 0), Error, "aten::split", "split_size");
  CHECK_NAMES(at::split(t, -1), Error, "aten::split", "split_size");
  CHECK_NAMES(at::chunk(t, 0), Error, "aten::chunk", "chunks");
  CHECK_NAMES(in_place.add_(ones({4, 2, 3})), Error, "aten::add", "shape");
  CHECK_NAMES(in_place.copy_(ones({4, 2, 3})), Error, "aten::copy_", "shape");
  CHECK_NAMES(at::native_layer_norm(t, {2}, {}, {}, 1e-5), Error, "aten::native_layer_norm",
              "normalized_shape");
  CHECK_NAMES(at::t(ones({1, 1, 1})), Error, "aten::t", "2");
  CHECK_NAMES(at::ones({2}).item(), Error, "aten::", "2 elements");
  CHECK_NAMES(at::is_nonzero(at::ones({2})), Error, "aten::is_nonzero", "ambiguous");
  CHECK_NAMES(at::flatten(t, 1, 0), Error, "aten::flatten", "start_dim");
}

static void test_dims() {
  const Tensor t = ones({2, 3});
  const char* range = "out of range (expected to be in range of [-2, 1]";
  CHECK_NAMES(at::sum(t, at::IntArrayRef{2}), IndexError, "aten::sum", range);
  CHECK_NAMES(at::softmax(t, 2), IndexError, "aten::", range);
  CHECK_NAMES(at::select(t, -3, 0), IndexError, "aten::select", range);
  CHECK_NAMES(at::slice(t, 2), IndexError, "aten::slice", range);
  CHECK_NAMES(at::transpose(t, 0, 5), IndexError, "aten::transpose", range);
  CHECK_NAMES(at::cat({t, t}, 2), IndexError, "aten::cat", range);
  CHECK_NAMES(at::cumsum(t, 7), IndexError, "aten::cumsum", range);
  CHECK_NAMES(at::argmax(t, 3), IndexError, "aten::argmax", range);
  CHECK_NAMES(at::sort(t, 2), IndexError, "aten::sort", range);
  CHECK_NAMES(at::topk(t, 1, 4), IndexError, "aten::topk", range);
  CHECK_NAMES(at::unbind(t, 9), IndexError, "aten::unbind", range);
  CHECK_NAMES(at::index_select(t, 4, at::zeros({1}, at::kLong)), IndexError, "aten::index_select", range);
  CHECK_NAMES(at::gather(t, -7, at::zeros({1, 1}, at::kLong)), IndexError, "aten::gather", range);
  CHECK_NAMES(at::unsqueeze(t, 4), IndexError, "aten::unsqueeze", "[-3, 2]");
  CHECK_NAMES(at::permute(t, {0, 0}), Error, "aten::permute", "duplicate");
  CHECK_NAMES(at::permute(t, {0}), Error, "aten::permute", "dim");
  CHECK_NAMES(at::sum(t, at::IntArrayRef{1, 1}), Error, "aten::sum", "dim 1 appears multiple times");
  CHECK_NAMES(at::sum(t, at::IntArrayRef{std::numeric_limits<int64_t>::min()}), IndexError, "aten::sum",
              "out of range");
  CHECK_NAMES(at::amax(ones({0}), at::IntArrayRef{0}), Error, "aten::amax", "dim");
  CHECK_NAMES(at::argmax(ones({0})), Error, "aten::argmax", "numel() == 0");
  CHECK_THROWS(t.size(2), IndexError, range);
}

static void test_indices() {
  const Tensor t = ones({2, 3});
  const Tensor five = at::full({1}, 5, at::kLong), minus = at::full({1}, -9, at::kLong);
  CHECK_NAMES(at::select(t, 0, 2), IndexError, "aten::select", "index 2 out of range");
  CHECK_NAMES(at::select(t, 0, -3), IndexError, "aten::select", "index -3 out of range");
  CHECK_NAMES(at::slice(t, 0, 0, 1, 0), Error, "aten::slice", "step must be positive");
  CHECK_NAMES(at::index_select(t, 0, five), IndexError, "aten::index_select", "out of range");
  CHECK_NAMES(at::index_select(t, 0, minus), IndexError, "aten::index_select", "out of range");
  CHECK_NAMES(at::gather(t, 1, five.view({1, 1})), Error, "aten::gather", "5");
  CHECK_NAMES(at::embedding(t, five), IndexError, "aten::embedding", "out of range");
  CHECK_NAMES(at::embedding(t, minus), IndexError, "aten::embedding", "out of range");
  CHECK_NAMES(at::index(t, {five}), IndexError, "aten::index", "5");
  CHECK_NAMES(at::index(t, {at::zeros({1}, at::kLong), at::zeros({1}, at::kLong), at::zeros({1}, at::kLong)}),
              IndexError, "aten::index", "too many indices");
  Tensor put = t.clone();
  CHECK_NAMES(put.index_put_({minus}, ones({})), IndexError, "aten::", "-9");
  CHECK_NAMES(at::topk(t, 4), Error, "aten::topk", "k");
  CHECK_NAMES(at::topk(t, -1), Error, "aten::topk", "k");
}

static void test_sizes() {
  CHECK_NAMES(at::empty({-1}), Error, "aten::empty", "-1");
  CHECK_NAMES(at::empty({kHuge, kHuge}), Error, "aten::empty", "overflow");
  CHECK_NAMES(at::empty({kHuge}), Error, "aten::empty", "overflow");
  CHECK_NAMES(at::empty({kHuge / 8}), Error, "aten::empty", "");
  CHECK_NAMES(at::zeros({kHuge, 0, kHuge}), Error, "aten::", "overflow");
  CHECK_NAMES(at::ones({int64_t{1} << 60}), Error, "aten::", "");
  CHECK_NAMES(at::full({-5}, 1, at::kFloat), Error, "aten::", "-5");
  CHECK_NAMES(at::rand({-5}), Error, "aten::", "-5");
  CHECK_NAMES(at::empty_strided({2, 2}, {kHuge, 1}, at::kFloat), Error, "aten::empty_strided", "overflow");
  CHECK_NAMES(at::empty_strided({2}, {-1}, at::kFloat), Error, "aten::empty_strided", "negative");
  CHECK_NAMES(at::empty_strided({2}, {1, 1}, at::kFloat), Error, "aten::empty_strided", "");
  const Tensor t = ones({4});
  CHECK_NAMES(at::as_strided(t, {5}, {1}), Error, "aten::as_strided", "out of bounds");
  CHECK_NAMES(at::as_strided(t, {2}, {1}, 3), Error, "aten::as_strided", "out of bounds");
  CHECK_NAMES(at::as_strided(t, {2}, {-1}, 3), Error, "aten::as_strided", "egative");
  CHECK_NAMES(at::as_strided(t, {2}, {1}, -1), Error, "aten::as_strided", "-1");
  CHECK_NAMES(at::as_strided(t, {kHuge}, {kHuge}), Error, "aten::as_strided", "overflow");
  CHECK_NAMES(at::as_strided(t, {-2}, {1}), Error, "aten::as_strided", "-2");
  CHECK_NAMES(at::as_strided(t, {2, 2}, {1}), Error, "aten::as_strided", "stride");
  CHECK_NAMES(t.expand({kHuge, 4}).expand({kHuge, kHuge, 4}), Error, "aten::expand", "overflow");
  CHECK_NAMES(at::ones({1}).expand({-5}), Error, "aten::expand", "-5");
  CHECK_NAMES(t.clone().resize_({kHuge, 3}), Error, "aten::resize_", "overflow");
  CHECK_NAMES(t.clone().resize_({-1}), Error, "aten::resize_", "-1");
  CHECK_NAMES(at::arange(0, 1, 0), Error, "aten::arange", "step");
  CHECK_NAMES(at::arange(0, 1, -1), Error, "aten::arange", "step");
  CHECK_NAMES(at::arange(0, INFINITY, 1), Error, "aten::arange", "");
  CHECK_NAMES(at::arange(0, NAN, 1), Error, "aten::arange", "");
  CHECK_NAMES(at::arange(0, 1e300, 1e-5), Error, "aten::arange", "");
  CHECK_NAMES(at::native_layer_norm(t, {}, {}, {}, 1e-5), Error, "aten::native_layer_norm",
              "normalized_shape");
}

static void test_overlap() {
  const Tensor t = ones({4});
  Tensor same = t.expand({3, 4});
  CHECK_NAMES(same.add_(1), Error, "aten::add", "single memory location");
  CHECK_NAMES(at::exp_out(same, same), Error, "aten::exp", "single memory location");
  CHECK_NAMES(same.copy_(ones({3, 4})), Error, "aten::copy_", "single memory location");
  Tensor left = t.slice(0, 0, 3), right = t.slice(0, 1, 4);
  CHECK_NAMES(at::neg_out(left, right), Error, "aten::neg", "memory");
  CHECK_NAMES(at::add_out(left, right, right), Error, "aten::add", "memory");
  CHECK_NAMES(at::cat_out(left, {right}), Error, "aten::cat", "memory");
  CHECK_NAMES(at::index_select_out(left, t, 0, at::arange(3)), Error, "aten::index_select", "memory");
}

static void test_values() {
  const Tensor t = ones({2});
  Tensor u = ones({2});
  CHECK_NAMES(at::div(t, t, "nearest"), Error, "aten::div", "nearest");
  CHECK_NAMES(at::gelu(t, "exactly"), Error, "aten::gelu", "approximate");
  CHECK_NAMES(u.normal_(0, -1), Error, "aten::normal_", "-1");
  CHECK_NAMES(u.uniform_(1, 0), Error, "aten::uniform_", "0");
  CHECK_NAMES(u.bernoulli_(2.), Error, "aten::bernoulli_", "2");
  CHECK_NAMES(at::native_dropout(t, 2, true), Error, "aten::native_dropout", "2");
  CHECK_NAMES(at::dropout(t, -1, true), Error, "aten::", "-1");
  CHECK_NAMES(at::randint(5, 5, {2}), Error, "aten::", "from");
  CHECK_NAMES(at::clamp(t), Error, "aten::clamp", "min");
  CHECK_NAMES(u.fill_(ones({2})), Error, "aten::fill_", "0-dim");
  CHECK_NAMES(at::pow(ones({2}, at::kLong), -1), Error, "aten::pow", "egative");
}

static void test_devices() {
  const Tensor t = ones({2}), meta = at::empty({2}, at::TensorOptions().device(at::kMeta));
  CHECK_NAMES(at::add(t, meta), Error, "aten::add", "meta");
  CHECK_NAMES(meta.select(0, 0).item(), Error, "aten::", "eta");
  CHECK_NAMES(t.clone().copy_(meta), Error, "aten::copy_", "meta");
  CHECK_NAMES(at::empty({1}, at::TensorOptions().device(at::kXLA)), Error, "aten::empty", "XLA");
  CHECK_NAMES(at::empty({1}, at::TensorOptions().device(at::kPrivateUse1)), Error, "aten::empty",
              "PrivateUse1");
  CHECK_THROWS(c10::Device("gpu"), Error, "gpu");
  CHECK_THROWS(c10::Device("cuda:x"), Error, "cuda:x");
}

int main() {
  RUN(test_undefined);
  RUN(test_undefined_members);
  RUN(test_dtypes);
  RUN(test_shapes);
  RUN(test_dims);
  RUN(test_indices);
  RUN(test_sizes);
  RUN(test_overlap);
  RUN(test_values);
  RUN(test_devices);
  return check_result();
}
