// torch/library.h: operators, kernels and fallbacks added and taken back at run time, and what is refused.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/PythonModes.h>
#include <ATen/core/stack.h>
#include <torch/library.h>

#include <string>

#include "check.h"
#include "dispatch_common.h"

using c10::DispatchKey;
using c10::DispatchKeySet;
using c10::OperatorHandle;
using c10::Stack;
using torch::Library;

using Scale = at::Tensor(const at::Tensor&, double);

static int cpu_calls = 0;
static at::Tensor scale_cpu(const at::Tensor& self, double) {
  ++cpu_calls;
  return self;
}

TORCH_LIBRARY(shop, m) {
  m.def("scale(Tensor self, float by=1.) -> Tensor", uint64_t{1} << 5);
  m.def("twice", [](const at::Tensor& self, int64_t n) { return std::make_tuple(self, n * 2); });
}
TORCH_LIBRARY_IMPL(shop, CPU, m) { m.impl("scale", TORCH_FN(scale_cpu)); }
TORCH_LIBRARY_FRAGMENT(shop, m) { m.def("late(Tensor self) -> Tensor"); }

static OperatorHandle find(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
}
static Library impl(DispatchKey key) { return Library(Library::IMPL, "shop", key, "here.cpp", 1); }

static void test_macros() {
  const auto scale = find("shop::scale").typed<Scale>();
  const at::Tensor t = cpu_tensor();
  CHECK(scale.call(t, 2).is_same(t) && cpu_calls == 1);
  CHECK(scale.schema().str() == "shop::scale(Tensor self, float by=1.) -> Tensor" && scale.tags() == 32);
  CHECK(find("shop::scale") == scale && !(find("shop::twice") == scale));
  CHECK(find("shop::twice").schema().str() == "shop::twice(Tensor _0, int _1) -> (Tensor, int)");
  Stack stack{t, 21};
  find("shop::twice").callBoxed(stack);
  CHECK(stack.size() == 2 && stack[1].toInt() == 42);
  CHECK(scale.hasKernelForDispatchKey(DispatchKey::CPU) && !scale.hasKernelForDispatchKey(DispatchKey::CUDA));
}

// Layers that pass on: with the key set, captured state, boxed.
static void test_layers() {
  const auto scale = find("shop::scale").typed<Scale>();
  const at::Tensor t = cpu_tensor();
  int seen = 0;
  {
    Library autograd = impl(DispatchKey::Autograd);
    autograd.impl("scale", [&seen](DispatchKeySet ks, const at::Tensor& self, double by) {
      ++seen;
      return find("shop::scale").typed<Scale>().redispatch(ks & c10::after_autograd_keyset, self, by);
    });
    cpu_calls = 0;
    scale.call(t, 2);
    CHECK(seen == 1 && cpu_calls == 1);
    const at::AutoDispatchBelowAutograd below;
    scale.call(t, 2);
    CHECK(seen == 1 && cpu_calls == 2);
  }
  scale.call(t, 2);
  CHECK(seen == 1);
  Library tracer(Library::IMPL, "_", DispatchKey::Tracer, "here.cpp", 2);
  tracer.fallback(torch::CppFunction::makeFromBoxedFunctor(
      [&seen](const OperatorHandle& op, DispatchKeySet ks, Stack* s) {
        seen += 100;
        op.redispatchBoxed(ks.remove(DispatchKey::Tracer), s);
      }));
  const c10::impl::IncludeDispatchKeyGuard include(DispatchKey::Tracer);
  CHECK(scale.call(t, 2).is_same(t) && seen == 101);
}

// By-value and owning parameter types, as kernels written for ATen have them.
static void test_parameter_types() {
  Library more(Library::FRAGMENT, "shop", std::nullopt, "here.cpp", 3);
  std::string text;
  more.def("owning(Tensor self, str s, int[] n, SymInt i, Tensor? o) -> int",
           [&text](at::Tensor self, std::string s, std::vector<int64_t> n, int64_t i,
                   std::optional<at::Tensor> o) {
             text = s;
             return static_cast<int64_t>(n.size()) + i + (o.has_value() ? 1000 : 0) +
                    (self.defined() ? 100 : 0);
           });
  const auto op = find("shop::owning")
                      .typed<int64_t(const at::Tensor&, std::string_view, at::IntArrayRef, c10::SymInt,
                                     const std::optional<at::Tensor>&)>();
  CHECK(op.call(cpu_tensor(), "abc", {1, 2, 3}, 7, std::nullopt) == 110 && text == "abc");
}

static void test_missing_kernels() {
  const at::Tensor cuda = tensor_with(DispatchKeySet({DispatchKey::CUDA, DispatchKey::AutogradCUDA}));
  const std::string error =
      error_of<c10::NotImplementedError>([&] { find("shop::scale").typed<Scale>().call(cuda, 1); });
  CHECK(contains(error, "shop::scale: no kernel for dispatch key CUDA (arguments: CUDA tensors)"));
  CHECK(contains(error, "Kernels are registered for: CPU"));
  CHECK(contains(error_of([&] { c10::Dispatcher::singleton().findSchemaOrThrow("shop::scale", "wide"); }),
                 "there is no operator shop::scale.wide; its overloads: (default)"));
  Stack stack{cpu_tensor()};
  CHECK(contains(error_of<c10::NotImplementedError>([&] { find("shop::late").callBoxed(stack); }),
                 "shop::late: no kernel"));
}

static void test_refusals() {
  CHECK(contains(error_of([] { impl(DispatchKey::CPU).impl("scale", &scale_cpu); }),
                 "shop::scale: registered at here.cpp:1 registers a second kernel for CPU; the first: "
                 "registered at test_library.cpp:"));
  CHECK(contains(error_of([] { Library(Library::DEF, "shop", std::nullopt, "here.cpp", 4); }),
                 "a second TORCH_LIBRARY"));
  CHECK(contains(error_of([] {
                   Library more(Library::FRAGMENT, "shop", std::nullopt, "here.cpp", 5);
                   more.def("scale(Tensor self) -> Tensor");
                 }),
                 "defines it again; it is there already: registered at test_library.cpp:"));
  CHECK(contains(
      error_of([] { impl(DispatchKey::CUDA).impl("scale", [](const at::Tensor& x, int64_t) { return x; }); }),
      "its argument 2 is 'int64_t', but 'float by' is 'double'"));
  CHECK(contains(error_of([] { impl(DispatchKey::CUDA).impl("scale", [](const at::Tensor&, double) {}); }),
                 "it returns 0 values, the schema 1"));
  CHECK(
      contains(error_of([] { impl(DispatchKey::CUDA).impl("scale", [](const at::Tensor& x) { return x; }); }),
               "it takes 1 arguments, the schema has 2"));
  const std::string asked = error_of([] { find("shop::scale").typed<at::Tensor(const at::Tensor&)>(); });
  CHECK(contains(asked, "typed() with a signature"));
  CHECK(contains(asked, "called: at::Tensor (const at::Tensor &)"));
  CHECK(contains(
      error_of([] { find("shop::scale").typed<std::tuple<at::Tensor, at::Tensor>(const at::Tensor&)>(); }),
      "called: std::tuple<at::Tensor, at::Tensor> (const at::Tensor &)"));
  CHECK(contains(error_of([] { impl(DispatchKey::CPU).def("x() -> ()"); }), "which defines no operators"));
  CHECK(contains(
      error_of([] { Library(Library::IMPL, "_", DispatchKey::CPU, "here.cpp", 6).fallback(&scale_cpu); }),
      "fallbacks serve operators of all types"));
  CHECK(contains(error_of([] { impl(DispatchKey::CUDA).impl("other::scale", &scale_cpu); }),
                 "is in namespace shop"));
}

// Kernels may come before the definition, which is then checked against them; handles outlive both.
static void test_order_and_undoing() {
  Library kernels(Library::IMPL, "shop", DispatchKey::CPU, "here.cpp", 7);
  kernels.impl("early", &scale_cpu);
  CHECK(!c10::Dispatcher::singleton().findSchema({"shop::early", ""}));
  Library definition(Library::FRAGMENT, "shop", std::nullopt, "here.cpp", 8);
  CHECK(
      contains(error_of([&] { definition.def("early(Tensor self) -> Tensor"); }), "does not fit the schema"));
  definition.def("early(Tensor self, float by) -> Tensor");
  const auto op = find("shop::early").typed<Scale>();
  const at::Tensor t = cpu_tensor();
  CHECK(op.call(t, 1).is_same(t));
  definition.reset();
  CHECK(!op.hasSchema() && contains(error_of([&] { (void)op.schema(); }), "shop::early has no schema"));
  kernels.reset();
  CHECK(contains(error_of([&] { op.call(t, 1); }), "is not defined"));
}

static void test_fallthrough() {
  Library cpu = impl(DispatchKey::AutogradCPU);
  cpu.impl("scale", torch::CppFunction::makeFallthrough());
  Library cuda = impl(DispatchKey::AutogradCUDA);
  int seen = 0;
  cuda.impl("scale", [&seen](const at::Tensor& self, double) {
    ++seen;
    return self;
  });
  // AutogradCPU falls through for its backend alone.
  cpu_calls = 0;
  const auto scale = find("shop::scale").typed<Scale>();
  scale.call(cpu_tensor(), 1);
  CHECK(cpu_calls == 1 && seen == 0);
  scale.call(tensor_with(DispatchKeySet({DispatchKey::CUDA, DispatchKey::AutogradCUDA})), 1);
  CHECK(cpu_calls == 1 && seen == 1);
}

// An operator linked in, kernels of a library loaded later, and one registered over both.
static at::Tensor linked_cpu(const c10::OperatorEntry&, DispatchKeySet, const at::Tensor& x) { return x; }
static at::Tensor linked_cuda(const c10::OperatorEntry&, DispatchKeySet, const at::Tensor&) {
  return at::Tensor();
}
using Linked = at::Tensor(const at::Tensor&);
static const c10::StaticKernel linked_kernels[] = {
    {DispatchKey::CPU, reinterpret_cast<c10::AnyKernel>(&linked_cpu)}};
static constinit c10::OperatorEntry linked{
    "shop::linked", "v1", "linked.v1(Tensor x) -> Tensor", &c10::boxing<Linked>, linked_kernels, 1};
static c10::OperatorEntry* const linked_ops[] = {&linked};
static const c10::KernelRow cuda_rows[] = {
    {&linked, DispatchKey::CUDA, reinterpret_cast<c10::AnyKernel>(&linked_cuda)}};

static void test_linked() {
  Library before(Library::IMPL, "shop", DispatchKey::AutogradMeta, "here.cpp", 9);
  before.impl("linked.v1", [](const at::Tensor& x) { return x; });
  c10::register_operators(linked_ops, 1, "shop kernels");
  CHECK(linked.schema().str() == "shop::linked.v1(Tensor x) -> Tensor");
  CHECK(OperatorHandle(linked).hasKernelForDispatchKey(DispatchKey::AutogradMeta));
  const at::Tensor t = cpu_tensor();
  const at::Tensor cuda = tensor_with(DispatchKeySet(DispatchKey::CUDA));
  CHECK(linked.call<Linked>(t).is_same(t));
  CHECK(!error_of<c10::NotImplementedError>([&] { linked.call<Linked>(cuda); }).empty());
  c10::register_kernels(cuda_rows, 1, "shop CUDA kernels");
  CHECK(!linked.call<Linked>(cuda).defined());
  {
    Library over(Library::IMPL, "shop", DispatchKey::CPU, "here.cpp", 10);
    over.impl("linked.v1", [](const at::Tensor&) { return at::Tensor(); });
    CHECK(!linked.call<Linked>(t).defined());
  }
  CHECK(linked.call<Linked>(t).is_same(t));
  static constinit c10::OperatorEntry twin{"shop::linked",       "v1",    "linked.v1(Tensor x) -> Tensor",
                                           &c10::boxing<Linked>, nullptr, 0};
  static c10::OperatorEntry* const twins[] = {&twin};
  CHECK(contains(error_of([] { c10::register_operators(twins, 1, "a twin"); }),
                 "shop::linked.v1: a twin defines it again; it is there already: shop kernels"));
}

static void test_modes() {
  static int python_calls = 0;
  static int pre_dispatch_calls = 0;
  const at::Tensor t = cpu_tensor();
  const auto scale = find("shop::scale").typed<Scale>();
  at::impl::set_python_modes_active(true);
  CHECK(contains(error_of([&] { scale.call(t, 1); }), "no Python interpreter"));
  static constexpr at::impl::PythonModeHooks hooks = {
      [](const OperatorHandle& op, DispatchKeySet, Stack* stack) {
        ++python_calls;
        const at::impl::DisablePythonModes off;
        op.callBoxed(stack);
      },
      [](const OperatorHandle& op, DispatchKeySet, Stack* stack) {
        ++pre_dispatch_calls;
        const c10::impl::ExcludeDispatchKeyGuard off(DispatchKey::PreDispatch);
        op.callBoxed(stack);
      }};
  at::impl::set_python_mode_hooks(&hooks);
  CHECK(scale.call(t, 1).is_same(t) && python_calls == 1 && pre_dispatch_calls == 0);
  at::impl::set_pre_dispatch_modes_active(true);
  CHECK(scale.call(t, 1).is_same(t) && python_calls == 2 && pre_dispatch_calls == 1);
  at::impl::set_python_modes_active(false);
  at::impl::set_pre_dispatch_modes_active(false);
  CHECK(scale.call(t, 1).is_same(t) && python_calls == 2);
}

// State of a kernel lives until no thread is within it.
static void test_lifetime() {
  struct Watched {
    int* destroyed;
    explicit Watched(int* d) : destroyed(d) {}
    Watched(const Watched&) = delete;
    Watched(Watched&& o) noexcept : destroyed(std::exchange(o.destroyed, nullptr)) {}
    ~Watched() {
      if (destroyed) ++*destroyed;
    }
  };
  int destroyed = 0;
  int during = -1;
  Library cuda = impl(DispatchKey::CUDA);
  cuda.impl("scale", [w = Watched(&destroyed), &cuda, &during](const at::Tensor& self, double) {
    cuda.reset();
    during = *w.destroyed;
    return self;
  });
  find("shop::scale").typed<Scale>().call(tensor_with(DispatchKeySet(DispatchKey::CUDA)), 1);
  CHECK(during == 0 && destroyed == 1);
}

int main() {
  RUN(test_macros);
  RUN(test_layers);
  RUN(test_parameter_types);
  RUN(test_missing_kernels);
  RUN(test_refusals);
  RUN(test_order_and_undoing);
  RUN(test_fallthrough);
  RUN(test_linked);
  RUN(test_modes);
  RUN(test_lifetime);
  return check_result();
}
