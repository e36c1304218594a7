// First calls from many threads at once, and calls while kernels and fallbacks come and go.
#include <ATen/core/Library.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "dispatch_common.h"

using c10::DispatchKey;
using torch::Library;
using Op = at::Tensor(const at::Tensor&);

static constexpr int num_threads = 4;

template <class F>
static void in_threads(F f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < num_threads; ++i) threads.emplace_back(f, i);
  for (std::thread& t : threads) t.join();
}

static void test_first_calls() {
  constexpr int num_ops = 50;
  Library library(Library::FRAGMENT, "threads", std::nullopt, "test", 1);
  for (int i = 0; i < num_ops; ++i) {
    library.def("op" + std::to_string(i) + "(Tensor x) -> Tensor",
                [i](const at::Tensor& x) { return i < 0 ? at::Tensor() : x; });
  }
  std::atomic<int> ready{0};
  std::atomic<int> good{0};
  in_threads([&](int) {
    const at::Tensor t = cpu_tensor();
    ++ready;
    while (ready < num_threads) std::this_thread::yield();
    for (int i = 0; i < num_ops; ++i) {
      const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("threads::op" + std::to_string(i), "");
      good += op.typed<Op>().call(t).is_same(t) && op.schema().arguments().size() == 1;
    }
  });
  CHECK(good == num_threads * num_ops);
}

// Callers always meet one of the kernels that were registered, never freed state.
static void test_changing_kernels() {
  Library library(Library::FRAGMENT, "threads", std::nullopt, "test", 2);
  library.def("moving(Tensor x) -> Tensor", [](const at::Tensor& x) { return x; });
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("threads::moving", "").typed<Op>();
  std::atomic<bool> stop{false};
  std::atomic<long> calls{0};
  std::atomic<long> errors{0};
  std::thread changer([&] {
    while (calls == 0) std::this_thread::yield();  // else all may be changed before the first call
    for (int i = 0; i < 100; ++i) {
      const std::string state(100, static_cast<char>('a' + i % 26));
      Library above(Library::IMPL, "threads", DispatchKey::AutogradCPU, "test", 3);
      above.impl("moving", [state](const at::Tensor& x) { return state[99] == state[0] ? x : at::Tensor(); });
      std::this_thread::yield();
      Library boxed(Library::IMPL, "_", DispatchKey::Tracer, "test", 4);
      boxed.fallback([state](const c10::OperatorHandle& o, c10::DispatchKeySet ks, c10::Stack* s) {
        if (state[99] != state[0]) s->clear();
        o.redispatchBoxed(ks.remove(DispatchKey::Tracer), s);
      });
      std::this_thread::yield();
    }
    stop = true;
  });
  in_threads([&](int i) {
    const at::Tensor t = cpu_tensor();
    const c10::impl::IncludeDispatchKeyGuard tracer(i % 2 ? c10::DispatchKeySet(DispatchKey::Tracer)
                                                          : c10::DispatchKeySet());
    while (!stop) {
      try {
        if (!op.call(t).is_same(t)) ++errors;
        c10::Stack stack{t};
        op.callBoxed(stack);
        if (!stack.at(0).toTensor().is_same(t)) ++errors;
      } catch (const c10::Error&) {
        ++errors;
      }
      ++calls;
    }
  });
  changer.join();
  CHECK(errors == 0);
  CHECK(calls > 0);
}

int main() {
  RUN(test_first_calls);
  RUN(test_changing_kernels);
  return check_result();
}
