// What several threads may do at once: run one graph, and graphs over one leaf; free what others made; ask
// one generator; run loops in the pool; call operators for the first time. `make sanitize` runs it with
// ThreadSanitizer.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/ViewUtils.h>
#include <torch/autograd/engine.h>
#include <torch/autograd/function.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "check.h"

namespace ag = torch::autograd;
using at::Tensor;

static constexpr int num_threads = 4;

// f(i) in threads that begin together.
template <class F>
static void together(F f) {
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < num_threads; ++i) {
    threads.emplace_back([&ready, &f, i] {
      ++ready;
      while (ready < num_threads) std::this_thread::yield();
      f(i);
    });
  }
  for (std::thread& t : threads) t.join();
}

static Tensor leaf(double value, at::IntArrayRef sizes) {
  Tensor t = at::full(sizes, value, at::kDouble);
  ag::set_requires_grad(t, true);
  return t;
}
static const Tensor& grad_of(const Tensor& t) { return t.unsafeGetTensorImpl()->grad(); }

// Before anything else has called them.
static void test_first_calls_of_operators() {
  std::atomic<int> good{0};
  together([&](int i) {
    const Tensor x = at::full({3}, i, at::kDouble);
    good += (x + x).mul(x).exp().sum().item<double>() > 0;
  });
  CHECK_EQ(good.load(), num_threads);
}

static void test_one_graph() {
  constexpr int runs = 50;
  const Tensor x = leaf(2, {5}), w = leaf(3, {5});
  const Tensor y = (x * w + x.exp() * w).sum();
  ag::BackwardOptions options;
  options.retain_graph = true;
  together([&](int) {
    for (int k = 0; k < runs; ++k) ag::backward({y}, {}, options);
  });
  const Tensor once = ag::grad({y}, {x}, {}, {})[0];
  const Tensor difference = grad_of(x) - once * (num_threads * runs);
  CHECK(difference.mul(difference).sum().item<double>() < 1e-12);
}

static void test_graphs_over_one_leaf() {
  constexpr int runs = 100;
  const Tensor w = leaf(3, {4});
  together([&](int i) {
    const Tensor x = at::full({4}, i, at::kDouble);
    for (int k = 0; k < runs; ++k) ag::backward({(x * w).sum()});
  });
  CHECK_EQ(grad_of(w).sum().item<double>(), 4.0 * runs * (0 + 1 + 2 + 3));
}

// The last reference goes in whichever thread is last; graphs as well.
static void test_freed_by_others() {
  constexpr int rounds = 200;
  std::mutex mutex;
  std::vector<Tensor> made;
  const Tensor w = leaf(1, {3});
  together([&](int i) {
    for (int k = 0; k < rounds; ++k) {
      const int64_t size = k % 7 == 0 ? 100000 : k;
      Tensor fresh = i % 2 ? at::full({size}, k, at::kDouble) : w * w + w;
      Tensor other;
      {
        const std::lock_guard<std::mutex> lock(mutex);
        made.push_back(std::move(fresh));
        if (made.size() > num_threads) {
          other = std::move(made.front());
          made.erase(made.begin());
        }
      }
    }
  });
  CHECK(made.size() <= num_threads);
}

static void test_one_generator() {
  at::manual_seed(1);
  std::atomic<int> in_range{0};
  together([&](int) {
    for (int k = 0; k < 50; ++k) {
      const double mean = at::rand({64}, at::kDouble).sum().item<double>() / 64;
      in_range += mean > 0 && mean < 1;
    }
  });
  CHECK_EQ(in_range.load(), 50 * num_threads);
}

// Loops of several threads share the pool; a loop inside a loop is serial.
static void test_loops() {
  at::set_num_threads(3);
  std::atomic<int64_t> total{0};
  together([&](int) {
    std::vector<int64_t> out(10000);
    for (int k = 0; k < 50; ++k) {
      at::parallel_for(0, 10000, 100, [&](int64_t begin, int64_t end) {
        at::parallel_for(begin, end, 10, [&](int64_t first, int64_t last) {
          for (int64_t i = first; i < last; ++i) out[static_cast<size_t>(i)] = i + k;
        });
      });
      total += out[9999];
    }
  });
  CHECK_EQ(total.load(), num_threads * (50 * 9999 + 49 * 50 / 2));
}

// Large enough to be computed by the pool, from all threads.
static void test_operators_in_the_pool() {
  at::set_num_threads(3);
  const Tensor x = at::full({300, 300}, 2, at::kDouble);
  std::atomic<int> good{0};
  together([&](int) {
    for (int k = 0; k < 10; ++k) good += (x.mul(x) + x).sum().item<double>() == 6.0 * 300 * 300;
  });
  CHECK_EQ(good.load(), 10 * num_threads);
}

// Settings of a thread are its own.
static void test_modes() {
  const Tensor w = leaf(1, {2});
  std::atomic<int> good{0};
  together([&](int i) {
    for (int k = 0; k < 200; ++k) {
      const at::AutoGradMode mode(i % 2 == 0);
      good += (w * w).requires_grad() == (i % 2 == 0);
    }
  });
  CHECK_EQ(good.load(), 200 * num_threads);
}

int main() {
  RUN(test_first_calls_of_operators);
  RUN(test_one_graph);
  RUN(test_graphs_over_one_leaf);
  RUN(test_freed_by_others);
  RUN(test_one_generator);
  RUN(test_loops);
  RUN(test_operators_in_the_pool);
  RUN(test_modes);
  return check_result();
}
