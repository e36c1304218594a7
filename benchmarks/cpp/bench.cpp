// Cost of calls from C++. Cases have the same names as in the measurement of libtorch, for a common table.
//   bench            times all cases; JSON on stdout (nanoseconds of CPU time per call: median and minimum)
//   bench list       prints the names of the cases
//   bench CASE N     runs one case N times, for a profiler
// Under callgrind, with CG_MODE set, each case is run and dumped in the order of the list.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/autograd/engine.h>
#include <torch/library.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

using at::Tensor;
using Cases = std::map<std::string, std::function<void(long)>>;

// ---- no-op operators, for the cost of dispatch

Tensor noop(const Tensor& a, const Tensor&) { return a; }
void noop_void(const Tensor&, const Tensor&) {}
Tensor allocate(const Tensor&, const Tensor&) {
  return at::detail::empty_cpu({1}, at::kFloat, false, std::nullopt);
}

using Void = void(const Tensor&, const Tensor&);
using Binary = Tensor(const Tensor&, const Tensor&);

c10::OperatorHandle find(const char* name, const char* overload = "") {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

const auto& redispatched() {
  static const auto op = find("bench::noopr").typed<Void>();
  return op;
}
void redispatch_below_autograd(c10::DispatchKeySet keys, const Tensor& a, const Tensor& b) {
  redispatched().redispatch(keys & c10::after_autograd_keyset, a, b);
}

TORCH_LIBRARY(bench, m) {
  m.def("noop(Tensor a, Tensor b) -> Tensor");
  m.def("noopv(Tensor a, Tensor b) -> ()");
  m.def("noopr(Tensor a, Tensor b) -> ()");
  m.def("alloc(Tensor a, Tensor b) -> Tensor");
}
TORCH_LIBRARY_IMPL(bench, CPU, m) {
  m.impl("noop", TORCH_FN(noop));
  m.impl("noopv", TORCH_FN(noop_void));
  m.impl("noopr", TORCH_FN(noop_void));
  m.impl("alloc", TORCH_FN(allocate));
}
TORCH_LIBRARY_IMPL(bench, Autograd, m) {
  m.impl("noop", torch::CppFunction::makeFallthrough());
  m.impl("noopv", torch::CppFunction::makeFallthrough());
  m.impl("noopr", TORCH_FN(redispatch_below_autograd));
}

// ---- the cases

template <class T>
void keep(T&& x) {
  asm volatile("" : : "g"(&x) : "memory");
}

template <class F>
std::function<void(long)> repeat(F f) {
  return [f](long n) mutable {
    for (long i = 0; i < n; i++) f();
  };
}

void add_dispatch_cases(Cases& cases) {
  const Tensor a = at::ones({1}), b = at::ones({1});
  const auto plain = find("bench::noopv").typed<Void>();
  const auto returning = find("bench::noop").typed<Binary>();
  const auto allocating = find("bench::alloc").typed<Binary>();
  const auto boxed = find("bench::noopv");
  const auto boxed_add = find("aten::add", "Tensor");

  cases["direct_call_void (floor)"] = repeat([] { asm volatile("" ::: "memory"); });
  cases["tensor_copy (refcount pair)"] = repeat([=] {
    Tensor t = a;
    keep(t);
  });
  cases["noop typed call, CPU only, void"] = repeat([=] { plain.call(a, b); });
  cases["noop typed call, CPU only, returns tensor"] = repeat([=] { keep(returning.call(a, b)); });
  cases["noop typed call, no_grad (AutoDispatchBelowADInplaceOrView)"] = [=](long n) {
    at::AutoDispatchBelowADInplaceOrView guard;
    for (long i = 0; i < n; i++) plain.call(a, b);
  };
  cases["noop via registered Autograd redispatch, grad not required"] =
      repeat([=] { redispatched().call(a, b); });
  cases["noop boxed call (stack of IValue)"] = repeat([=] {
    c10::Stack stack{a, b};
    boxed.callBoxed(&stack);
  });
  cases["at::add boxed [1]"] = repeat([=] {
    c10::Stack stack{a, b, 1};
    boxed_add.callBoxed(&stack);
  });
  cases["op that allocates [1] (empty_cpu) via dispatcher"] = repeat([=] { keep(allocating.call(a, b)); });
}

// Calls without autograd's layers.
template <class Guard, class F>
std::function<void(long)> repeat_under(F f) {
  return [f](long n) mutable {
    Guard guard;
    for (long i = 0; i < n; i++) f();
  };
}

void add_operator_cases(Cases& cases) {
  const Tensor a = at::ones({1}), b = at::ones({1}), square = at::ones({2, 2});
  Tensor out = at::empty({1}), zero = at::zeros({1});
  cases["at::detail::empty_cpu [1]"] =
      repeat([=] { keep(at::detail::empty_cpu({1}, at::kFloat, false, std::nullopt)); });
  cases["at::empty [1]"] = repeat([=] { keep(at::empty({1})); });
  cases["at::zeros [16]"] = repeat([=] { keep(at::zeros({16})); });
  cases["at::add [1]"] = repeat([=] { keep(at::add(a, b)); });
  cases["at::add_out [1]"] = repeat([=]() mutable { at::add_out(out, a, b); });
  cases["at::add_ [1]"] = repeat([=]() mutable { zero.add_(zero); });
  cases["at::add [1], under AutoDispatchBelowAutograd"] =
      repeat_under<at::AutoDispatchBelowAutograd>([=] { keep(at::add(a, b)); });
  cases["at::add_ [1], under AutoDispatchBelowADInplaceOrView"] =
      repeat_under<at::AutoDispatchBelowADInplaceOrView>([=]() mutable { zero.add_(zero); });
  cases["at::mul [1]"] = repeat([=] { keep(at::mul(a, b)); });
  cases["at::relu [1]"] = repeat([=] { keep(at::relu(a)); });
  cases["at::sum [1]"] = repeat([=] { keep(at::sum(a)); });
  cases["at::cat 2x[1]"] = repeat([=] { keep(at::cat({a, b})); });
  cases["at::mm 2x2"] = repeat([=] { keep(at::mm(square, square)); });
  cases["at::matmul 2x2"] = repeat([=] { keep(at::matmul(square, square)); });
  cases["a + 2.0 (scalar)"] = repeat([=] { keep(a + 2.0); });
  cases["item<float>"] = repeat([=] { keep(a.item<float>()); });
}

void add_view_cases(Cases& cases) {
  const Tensor m = at::ones({4, 4});
  cases["view(16)"] = repeat([=] { keep(m.view({16})); });
  cases["view(16), under AutoDispatchBelowADInplaceOrView"] =
      repeat_under<at::AutoDispatchBelowADInplaceOrView>([=] { keep(m.view({16})); });
  cases["select(0,1)"] = repeat([=] { keep(m.select(0, 1)); });
  cases["slice(0,1,3)"] = repeat([=] { keep(m.slice(0, 1, 3)); });
  cases["transpose(0,1)"] = repeat([=] { keep(m.transpose(0, 1)); });
  cases["transpose(0,1), under AutoDispatchBelowADInplaceOrView"] =
      repeat_under<at::AutoDispatchBelowADInplaceOrView>([=] { keep(m.transpose(0, 1)); });
}

// A chain of a hundred nodes, for the cost of recording and running one.
void add_chain_cases(Cases& cases) {
  const Tensor x = at::ones({1}), b = at::ones({1});
  x.set_requires_grad(true);
  const auto forward = [](const Tensor& from, const Tensor& b) {
    Tensor y = from;
    for (int i = 0; i < 100; i++) y = at::add(y, b);
    return y;
  };
  const auto backward = [=](const Tensor& y, bool retain) {
    torch::autograd::backward({y}, {b}, {.retain_graph = retain});
    x.unsafeGetTensorImpl()->mutable_grad() = Tensor();
  };
  cases["chain 100 adds, no grad"] = repeat([=] { keep(forward(b, b)); });
  cases["chain 100 adds forward recording"] = repeat([=] { keep(forward(x, b)); });
  cases["chain 100 adds forward+backward"] = repeat([=] { backward(forward(x, b), false); });
  const Tensor y = forward(x, b);
  cases["chain 100 adds backward"] = repeat([=] { backward(y, true); });
}

// ---- measuring

// CPU time of the process, which other processes don't affect.
double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double seconds(const std::function<void(long)>& run, long n) {
  const double start = now();
  run(n);
  return now() - start;
}

void print_time(const std::string& name, const std::function<void(long)>& run, bool first) {
  long n = 100;
  double once = seconds(run, n);
  while (once < 1e-3 && n < 100000000) once = seconds(run, n *= 4);
  n = std::max(1L, static_cast<long>(static_cast<double>(n) * 3e-3 / once));
  std::vector<double> ns(21);
  for (double& x : ns) x = seconds(run, n) / static_cast<double>(n) * 1e9;
  std::sort(ns.begin(), ns.end());
  std::printf("%s\n\"%s\": {\"ns_median\": %.2f, \"ns_min\": %.2f}", first ? "" : ",", name.c_str(), ns[10],
              ns[0]);
  std::fflush(stdout);
}

void count_instructions(const std::string& name, const std::function<void(long)>& run) {
  constexpr long n = 1000;
  run(n / 10);
  CALLGRIND_ZERO_STATS;
  run(n);
  CALLGRIND_DUMP_STATS_AT((name + " #" + std::to_string(n)).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  Cases cases;
  add_dispatch_cases(cases);
  add_operator_cases(cases);
  add_view_cases(cases);
  add_chain_cases(cases);
  if (argc > 2) {
    cases.at(argv[1])(std::atol(argv[2]));
  } else if (argc > 1) {
    for (const auto& [name, run] : cases) std::puts(name.c_str());
  } else if (std::getenv("CG_MODE") != nullptr) {
    for (const auto& [name, run] : cases) count_instructions(name, run);
  } else {
    std::printf("{");
    bool first = true;
    for (const auto& [name, run] : cases) {
      print_time(name, run, first);
      first = false;
    }
    std::printf("}\n");
  }
}
