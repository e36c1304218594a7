// The engine from C++: gradients, functions of one's own, hooks, graphs of any depth, writes, threads.
#include <ATen/ATen.h>
#include <ATen/ViewUtils.h>
#include <torch/autograd/anomaly.h>
#include <torch/autograd/engine.h>
#include <torch/autograd/function.h>
#include <torch/library.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

namespace ag = torch::autograd;
using ag::AutogradContext;
using ag::variable_list;
using at::Tensor;

static Tensor leaf(double value, at::IntArrayRef sizes = {}) {
  Tensor t = at::full(sizes, value, at::kDouble);
  ag::set_requires_grad(t, true);
  return t;
}
static double value_of(const Tensor& t) { return t.item<double>(); }
static const Tensor& grad_of(const Tensor& t) { return t.unsafeGetTensorImpl()->grad(); }

static void test_accumulation() {
  const Tensor x = leaf(3);
  const Tensor y = x * x + x;
  CHECK(y.requires_grad());
  CHECK(!ag::is_leaf(y));
  CHECK_EQ(std::string(ag::grad_fn_of(y)->name()), "AddBackward0");
  ag::backward({y});
  CHECK_EQ(value_of(grad_of(x)), 7.0);
  ag::backward({x * 2});
  CHECK_EQ(value_of(grad_of(x)), 9.0);
}

static void test_broadcasting() {
  const Tensor a = leaf(2, {3, 1}), b = leaf(5, {4});
  ag::backward({(a * b).sum()});
  CHECK(grad_of(a).sizes() == at::IntArrayRef({3, 1}));
  CHECK_EQ(value_of(grad_of(a).sum()), 60.0);
  CHECK(grad_of(b).sizes() == at::IntArrayRef({4}));
  CHECK_EQ(value_of(grad_of(b).sum()), 24.0);
}

static void test_higher_derivatives() {
  const Tensor x = leaf(2);
  Tensor y = x * x * x * x;
  double expected[] = {32, 48, 48, 24};
  for (double derivative : expected) {
    ag::GradOptions options;
    options.create_graph = true;
    y = ag::grad({y}, {x}, {}, options)[0];
    CHECK_EQ(value_of(y), derivative);
  }
}

static void test_inputs() {
  const Tensor x = leaf(2), w = leaf(3), other = leaf(1);
  const Tensor y = x * w;
  ag::GradOptions options;
  options.retain_graph = true;
  CHECK_EQ(value_of(ag::grad({y}, {w}, {}, options)[0]), 2.0);
  CHECK(!grad_of(w).defined());
  CHECK_THROWS(ag::grad({y}, {other}, {}, options), c10::Error, "not have been used in the graph");
  options.allow_unused = true;
  CHECK(!ag::grad({y}, {other}, {}, options)[0].defined());
  options.materialize_grads = true;
  CHECK_EQ(value_of(ag::grad({y}, {other}, {}, options)[0]), 0.0);
  ag::backward({y}, {}, {}, {x});
  CHECK_EQ(value_of(grad_of(x)), 3.0);
  CHECK(!grad_of(w).defined());
}

static void test_bad_input() {
  const Tensor x = leaf(2, {3});
  const Tensor y = x * x;
  CHECK_THROWS(ag::backward({y}), c10::Error, "only for scalar outputs");
  CHECK_THROWS(ag::backward({y}, {at::ones({2}, at::kDouble)}), c10::Error, "Mismatch in shape");
  CHECK_THROWS(ag::backward({at::ones({})}), c10::Error, "does not require grad");
  ag::backward({y.sum()});
  CHECK_THROWS(ag::backward({y.sum()}), c10::Error, "MulBackward0 (of aten::mul.Tensor)");
  CHECK_THROWS(ag::set_requires_grad(y, false), c10::Error, "leaf variables");
  CHECK_THROWS(ag::set_requires_grad(at::ones({2}, at::kLong), true), c10::Error, "floating point");
}

// -------------------- writes

static void test_versions() {
  const Tensor x = leaf(1, {4});
  Tensor y = x.exp();
  const Tensor z = y * y;
  y.add_(1);
  CHECK_THROWS(ag::backward({z.sum()}), c10::Error, "saved for MulBackward0 by aten::mul.Tensor");
  CHECK_THROWS(ag::backward({(x.exp() * 1).sum()}); Tensor u = x.exp(); const Tensor v = u.sum(); u.add_(1);
               ag::backward({v}); ag::backward({u.sum()}), c10::Error, "last by aten::add_");
}

static void test_writes_to_views() {
  const Tensor x = leaf(2, {4});
  Tensor y = x * 3;
  Tensor view = y.view({2, 2});
  Tensor row = view.select(0, 1);
  row.mul_(10);
  CHECK_EQ(std::string(ag::grad_fn_of(y)->name()), "torch::autograd::CopySlices");
  ag::backward({view.sum()});
  CHECK_EQ(value_of(grad_of(x)[0]), 3.0);
  CHECK_EQ(value_of(grad_of(x)[3]), 30.0);

  // What the operator saved of its result outlives the view that it was written to.
  const Tensor z = leaf(1, {2, 2}), doubled = z * 2;
  doubled.select(0, 1).exp_();
  ag::GradOptions options;
  options.create_graph = true;
  const Tensor slope = ag::grad({(doubled * doubled).sum()}, {z}, {}, options)[0];
  const double second = value_of(ag::grad({slope.sum()}, {z})[0][1][1]);
  CHECK(std::abs(second - 16 * std::exp(4.0)) < 1e-9);

  Tensor leaf_view = leaf(1, {4}).view({2, 2});
  CHECK_THROWS(leaf_view.mul_(2), c10::Error, "a view of a leaf");
  Tensor direct = leaf(1);
  CHECK_THROWS(direct.mul_(2), c10::Error, "a leaf Variable");
  // An untracked base becomes part of the graph when a tracked tensor is written into a view of it.
  Tensor base = at::zeros({2, 2}, at::kDouble);
  const Tensor w = leaf(7, {2});
  base.select(0, 0).copy_(w);
  CHECK(base.requires_grad());
  ag::backward({(base * base).sum()});
  CHECK_EQ(value_of(grad_of(w)[1]), 14.0);
  Tensor part = (leaf(1, {4}) * 1).split(2)[0];
  CHECK_THROWS(part.mul_(2), c10::Error, "multiple views");
}

// -------------------- functions and hooks

struct Cube : ag::Function<Cube> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, double factor) {
    ctx->save_for_backward({x});
    ctx->saved_data["factor"] = factor;
    return x * x * x * factor;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const Tensor x = ctx->get_saved_variables()[0];
    return {grads[0] * x * x * (3 * std::any_cast<double>(ctx->saved_data["factor"])), Tensor()};
  }
};

struct Add : ag::Function<Add> {
  static variable_list forward(AutogradContext* ctx, Tensor x, const Tensor& y) {
    x.add_(y);
    ctx->mark_dirty({x});
    return {x, y};
  }
  static variable_list backward(AutogradContext*, variable_list grads) {
    return {grads[0], grads[0] + grads[1]};
  }
};

static void test_functions() {
  const Tensor x = leaf(2);
  const Tensor y = Cube::apply(x, 0.5);
  CHECK_EQ(value_of(y), 4.0);
  ag::GradOptions options;
  options.create_graph = true;
  const Tensor slope = ag::grad({y}, {x}, {}, options)[0];
  CHECK_EQ(value_of(slope), 6.0);
  CHECK_EQ(value_of(ag::grad({slope}, {x})[0]), 6.0);

  const Tensor a = leaf(1), b = leaf(2);
  const variable_list sums = Add::apply(a * 1, b);
  ag::backward({sums[0] * 10 + sums[1]});
  CHECK_EQ(value_of(grad_of(a)), 10.0);
  CHECK_EQ(value_of(grad_of(b)), 11.0);
  CHECK(!Cube::apply(at::ones({}), 1).requires_grad());
}

static void test_hooks() {
  const Tensor x = leaf(2);
  const Tensor y = x * x;
  std::vector<double> seen;
  ag::HookHandle handle = ag::register_hook(y, [&](const Tensor& grad) {
    seen.push_back(value_of(grad));
    return grad * 10;
  });
  ag::register_hook(x, [&](const Tensor& grad) {
    seen.push_back(value_of(grad));
    return Tensor();
  });
  ag::retain_grad(y);
  ag::BackwardOptions keep;
  keep.retain_graph = true;
  ag::backward({y}, {}, keep);
  CHECK_EQ(seen.size(), 2u);
  CHECK_EQ(seen[0], 1.0);
  CHECK_EQ(seen[1], 40.0);
  CHECK_EQ(value_of(grad_of(y)), 10.0);
  handle.remove();
  ag::backward({y});
  CHECK_EQ(value_of(grad_of(x)), 44.0);
}

// -------------------- large graphs

static void test_depth() {
  const Tensor x = leaf(1);
  Tensor y = x;
  for (int i = 0; i < 1'000'000; ++i) y = y + x;
  ag::backward({y});
  CHECK_EQ(value_of(grad_of(x)), 1'000'001.0);
  y = x;
  for (int i = 0; i < 1'000'000; ++i) y = y.sigmoid();
  y = Tensor();  // freed without having run
}

static void test_threads() {
  const Tensor x = leaf(2);
  const Tensor shared = x * x;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        ag::BackwardOptions keep;
        keep.retain_graph = true;
        ag::backward({shared * 1}, {}, keep);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(value_of(grad_of(x)), 4 * 200 * 4.0);
}

static void test_anomaly() {
  ag::AnomalyMode::set_enabled(true, true);
  static std::string warned;
  ag::set_warning_handler([](const std::string& text) { warned = text; });
  const Tensor x = leaf(0);
  CHECK_THROWS(ag::backward({(x / 0).mul(0)}), c10::Error, "returned nan values");
  CHECK(warned.find("Error detected in") != std::string::npos);
  ag::AnomalyMode::set_enabled(false, true);
  ag::set_warning_handler(nullptr);
}

static void test_forward_mode() {
  const uint64_t level = ag::ForwardLevel::enter();
  const Tensor x = ag::make_dual(at::full({}, 3.0, at::kDouble), at::full({}, 1.0, at::kDouble), level);
  CHECK_EQ(value_of(ag::tangent(x * x)), 6.0);
  CHECK_THROWS(ag::ForwardLevel::enter(), c10::Error, "Nested");
  ag::ForwardLevel::exit(level);
  CHECK(!ag::tangent(x).defined());
}

// Autograd's layers jump to the library's own kernels of views. What other kernels make are views all the
// same, and nothing stays behind where none is made.
static void test_views_by_other_kernels() {
  const Tensor x = at::zeros({2, 3});
  const auto is_view_of_x = [&](const Tensor& t) {
    return t.unsafeGetTensorImpl()->view_base().get() == x.unsafeGetTensorImpl();
  };
  CHECK(is_view_of_x(x.transpose(0, 1)));
  CHECK_THROWS(x.view({7}), c10::Error, "view");
  CHECK(at::detail::viewed == nullptr);
  {
    torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, "test", 1);
    library.impl("transpose.int", [](const Tensor& self, int64_t, int64_t) {
      return at::from_blob(self.data_ptr(), {3, 2}, {1, 3}, self.options());
    });
    const Tensor y = x.transpose(0, 1);
    CHECK(!y.storage().is_alias_of(x.storage()));
    CHECK(is_view_of_x(y));
    CHECK_EQ(y._version(), x._version());
    y.add_(1);
    CHECK_EQ(x._version(), 1);
  }
  CHECK(x.transpose(0, 1).storage().is_alias_of(x.storage()));
  CHECK(at::detail::viewed == nullptr);
}

int main() {
  check::run("accumulation", test_accumulation);
  check::run("broadcasting", test_broadcasting);
  check::run("higher derivatives", test_higher_derivatives);
  check::run("inputs", test_inputs);
  check::run("bad input", test_bad_input);
  check::run("versions", test_versions);
  check::run("writes to views", test_writes_to_views);
  check::run("views by other kernels", test_views_by_other_kernels);
  check::run("functions", test_functions);
  check::run("hooks", test_hooks);
  check::run("depth", test_depth);
  check::run("threads", test_threads);
  check::run("anomaly", test_anomaly);
  check::run("forward mode", test_forward_mode);
  return check_result();
}
