// A backend of one's own, made of what an out-of-tree one has: a DeviceInterface (ghost_device.h), a handful
// of kernels registered at run time, and the fallback to the CPU for all other operators.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/TensorIterator.h>
#include <ATen/ViewUtils.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/Resize.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/DynamicCast.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <torch/library.h>

#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/view_native.h>

#include "check.h"
#include "dispatch_common.h"
#include "ghost_device.h"

using at::Tensor;
using c10::Device;
using c10::DispatchKey;

C10_REGISTER_DEVICE_INTERFACE(ghost::Interface)

static const Device ghost0(c10::kPrivateUse1, 0);
static const Device ghost1(c10::kPrivateUse1, 1);

// -------------------- the backend's kernels

namespace kernels {

int adds = 0;

Tensor empty(c10::SymIntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
             std::optional<Device> device, std::optional<bool>, std::optional<at::MemoryFormat> format) {
  return Tensor(at::detail::empty_device(c10::asIntArrayRefUnchecked(size), c10::dtype_or_default(dtype),
                                         *device, format));
}
Tensor empty_strided(c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
                     std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                     std::optional<Device> device, std::optional<bool>) {
  return Tensor(at::detail::empty_strided_device(c10::asIntArrayRefUnchecked(size),
                                                 c10::asIntArrayRefUnchecked(stride),
                                                 c10::dtype_or_default(dtype), *device));
}

// On the device's side of the memory; all arithmetic in double.
Tensor& add_out(const Tensor& self, const Tensor& other, const at::Scalar& alpha, Tensor& out) {
  ++adds;
  const c10::DeviceGuard guard(out.device());
  at::TensorIterator iter = at::TensorIterator::binary_op(out, self, other);
  const at::ScalarType types[] = {iter.dtype(0), iter.dtype(1), iter.dtype(2)};
  const double factor = alpha.to<double>();
  iter.for_each([&](char** data, const int64_t* strides, int64_t n, int64_t rows) {
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t i = 0; i < n; ++i) {
        char* at[3];
        for (int k = 0; k < 3; ++k) {
          at[k] = ghost::memory().inside(data[k] + i * strides[k] + row * strides[3 + k]);
        }
        const double sum = c10::fetch_and_cast<double>(types[1], at[1]) +
                           factor * c10::fetch_and_cast<double>(types[2], at[2]);
        c10::cast_and_store<double>(types[0], at[0], sum);
      }
    }
  });
  return out;
}

Tensor as_strided(const Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
                  std::optional<c10::SymInt> offset) {
  return at::native::as_strided_tensorimpl(
      self, c10::asIntArrayRefUnchecked(size), c10::asIntArrayRefUnchecked(stride),
      offset ? std::optional<int64_t>(offset->expect_int()) : std::nullopt);
}
Tensor view(const Tensor& self, c10::SymIntArrayRef size) {
  return at::native::view(self, c10::asIntArrayRefUnchecked(size));
}
const Tensor& resize_(const Tensor& self, c10::SymIntArrayRef size, std::optional<at::MemoryFormat>) {
  const c10::DeviceGuard guard(self.device());
  at::native::resize_impl_cpu_(self.unsafeGetTensorImpl(), c10::asIntArrayRefUnchecked(size), std::nullopt);
  return self;
}

int fallbacks = 0;
void on_host(const c10::OperatorHandle& op, c10::Stack* stack) {
  ++fallbacks;
  at::native::cpu_fallback(op, stack);
}

}  // namespace kernels

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", TORCH_FN(kernels::empty));
  m.impl("empty_strided", TORCH_FN(kernels::empty_strided));
  m.impl("add.out", TORCH_FN(kernels::add_out));
  m.impl("as_strided", TORCH_FN(kernels::as_strided));
  m.impl("view", TORCH_FN(kernels::view));
  m.impl("resize_", TORCH_FN(kernels::resize_));
}

static torch::Library fallback_to_cpu() {
  torch::Library m(torch::Library::IMPL, "_", DispatchKey::PrivateUse1, C10_FILE_NAME, __LINE__);
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&kernels::on_host>());
  return m;
}

// -------------------- tests

static Tensor on_ghost(std::initializer_list<double> values, Device device = ghost0) {
  Tensor host = at::empty({static_cast<int64_t>(values.size())}, at::kFloat);
  std::copy(values.begin(), values.end(), host.mutable_data_ptr<float>());
  return host.to(device);
}
static std::vector<float> values_of(const Tensor& t) {
  const Tensor host = t.to(at::kCPU).contiguous();
  return {host.const_data_ptr<float>(), host.const_data_ptr<float>() + host.numel()};
}

static void test_name() {
  c10::register_privateuse1_backend("ghost");
  CHECK_EQ(Device("ghost:1").str(), "ghost:1");
  CHECK_EQ(Device("privateuseone").type(), c10::kPrivateUse1);
  CHECK_THROWS(c10::register_privateuse1_backend("spectre"), c10::Error, "already named ghost");
  CHECK_EQ(c10::device_count(c10::kPrivateUse1), ghost::kCount);
}

// Factories find the backend by the device of their options.
static void test_factories() {
  const Tensor t = at::empty({2, 3}, at::TensorOptions().device(ghost1).dtype(at::kFloat));
  CHECK_EQ(t.device(), ghost1);
  CHECK(t.is_privateuseone() && ghost::memory().owns(t.data_ptr()));
  CHECK_EQ(at::empty({1}, at::TensorOptions().device(Device("ghost"))).device(), ghost0);
  CHECK_EQ(at::empty_strided({2, 2}, {1, 2}, at::TensorOptions().device(ghost0)).stride(1), 2);
  CHECK_EQ(at::empty_like(t).device(), ghost1);
  CHECK_THROWS(at::empty({1}, at::TensorOptions().device(Device("ghost:7"))), c10::Error,
               "there are 2 devices of type ghost");
  CHECK_THROWS(at::empty({int64_t{1} << 40}, at::TensorOptions().device(ghost0)), c10::OutOfMemoryError,
               "ghost: out of memory");
}

// copy_ needs no kernel: the interface moves bytes, whatever the strides and dtypes.
static void test_copies() {
  const Tensor host = at::arange(6, at::kFloat).view({2, 3});
  const Tensor device = host.to(ghost0);
  CHECK(values_of(device) == std::vector<float>({0, 1, 2, 3, 4, 5}));
  CHECK(values_of(host.t().to(ghost0)) == std::vector<float>({0, 3, 1, 4, 2, 5}));
  CHECK(values_of(device.t()) == std::vector<float>({0, 3, 1, 4, 2, 5}));
  CHECK(values_of(device.to(ghost1)) == values_of(device));
  CHECK_EQ(device.to(ghost1).device(), ghost1);
  CHECK_EQ(device.to(at::kInt).to(at::kCPU).const_data_ptr<int>()[5], 5);
  Tensor column = device.select(1, 0);
  column.copy_(host.select(1, 2));
  CHECK(values_of(device) == std::vector<float>({2, 1, 2, 5, 4, 5}));
  CHECK(values_of(device.clone()) == values_of(device));
  CHECK(device.to(ghost0).is_same(device));
}

static void test_add() {
  const Tensor a = on_ghost({1, 2, 3}), b = on_ghost({10, 20, 30});
  kernels::adds = kernels::fallbacks = 0;
  CHECK(values_of(at::add(a, b, 2)) == std::vector<float>({21, 42, 63}));
  CHECK(values_of(a + 1) == std::vector<float>({2, 3, 4}));
  CHECK(values_of(at::add(a.unsqueeze(1), b)) == std::vector<float>({11, 21, 31, 12, 22, 32, 13, 23, 33}));
  Tensor c = a.clone();
  c.add_(b);
  CHECK(values_of(c) == std::vector<float>({11, 22, 33}));
  Tensor out = at::empty({0}, at::TensorOptions().device(ghost0));
  at::add_out(out, a, b);
  CHECK(values_of(out) == std::vector<float>({11, 22, 33}));
  CHECK_EQ(kernels::adds, 5);
  CHECK_EQ(kernels::fallbacks, 0);
}

// Kernels of views make tensors over the same memory, and composites work through them.
static void test_views() {
  const Tensor a = on_ghost({1, 2, 3, 4, 5, 6});
  const Tensor grid = a.view({2, 3});
  CHECK(grid.transpose(0, 1).select(0, 1).storage().is_alias_of(a.storage()));
  CHECK(values_of(grid.transpose(0, 1)) == std::vector<float>({1, 4, 2, 5, 3, 6}));
  CHECK(values_of(grid.slice(1, 1, 3)) == std::vector<float>({2, 3, 5, 6}));
  CHECK_THROWS(a.view({4}), c10::Error, "shape '[4]' is invalid for input of size 6");
}

static void test_device_checks() {
  const Tensor a = on_ghost({1}), far = on_ghost({1}, ghost1), host = at::ones({1});
  CHECK_THROWS(at::add(a, far), c10::Error, "ghost:1");
  CHECK_THROWS(at::add(a, host), c10::Error, "cpu");
  CHECK_THROWS(at::mm(at::ones({1, 1}), a.view({1, 1})), c10::Error, "aten::mm");
  const c10::Error error = [&] {
    try {
      at::index_select(host, 0, at::zeros({1}, at::kLong).to(ghost0));
    } catch (const c10::Error& e) {
      return e;
    }
    return c10::Error("nothing thrown");
  }();
  CHECK(contains(error.what(), "aten::index_select"));
}

static void test_guards_and_streams() {
  const c10::DeviceInterface& interface = c10::device_interface(c10::kPrivateUse1);
  {
    const c10::DeviceGuard guard(ghost1);
    CHECK_EQ(interface.current_device(), 1);
    CHECK_EQ(at::empty({1}, at::TensorOptions().device(Device("ghost"))).device(), ghost1);
    const c10::DeviceGuard inner(ghost0);
    CHECK_EQ(interface.current_device(), 0);
  }
  CHECK_EQ(interface.current_device(), 0);
  const c10::Stream other = interface.new_stream(1);
  {
    const c10::StreamGuard guard(other);
    CHECK(interface.current_stream(1) == other && interface.current_device() == 1);
  }
  CHECK(interface.current_stream(1) == interface.default_stream(1) && interface.current_device() == 0);
  {
    c10::Event begin(c10::kPrivateUse1, c10::EventFlag::BACKEND_DEFAULT);
    c10::Event end(c10::kPrivateUse1, c10::EventFlag::BACKEND_DEFAULT);
    begin.record(other);
    end.record(other);
    other.wait(begin);
    CHECK(end.query() && begin.elapsedTime(end) == 1.0);
    CHECK_EQ(ghost::statistics.live_events.load(), 2);
  }
  CHECK_EQ(ghost::statistics.live_events.load(), 0);
  const int before = ghost::statistics.synchronizations;
  other.synchronize();
  CHECK_EQ(ghost::statistics.synchronizations.load(), before + 1);
}

// Without the fallback: which keys have one.
static void test_missing_kernel() {
  const Tensor a = on_ghost({1, 2, 3});
  const std::string error = error_of<c10::NotImplementedError>([&] { at::exp(a); });
  CHECK(contains(error, "aten::exp.out: no kernel for dispatch key PrivateUse1"));
  CHECK(contains(error, "Kernels are registered for: ") && contains(error, "CPU"));
}

static void test_fallback() {
  const torch::Library library = fallback_to_cpu();
  const Tensor a = on_ghost({4, 1, 3});
  kernels::fallbacks = 0;
  const Tensor roots = at::sqrt(a.view({3, 1}));
  CHECK(kernels::fallbacks > 0 && roots.device() == ghost0 && roots.dim() == 2);
  CHECK(values_of(roots)[0] == 2);
  CHECK_EQ(a.sum().item<float>(), 8.f);
  const auto [sorted, order] = at::sort(a);
  CHECK(values_of(sorted) == std::vector<float>({1, 3, 4}));
  CHECK(order.device() == ghost0 && order.scalar_type() == at::kLong);
  Tensor b = a.clone();
  CHECK(b.mul_(2).is_same(b));
  CHECK(values_of(b) == std::vector<float>({8, 2, 6}));
  Tensor out = at::empty({0}, at::TensorOptions().device(ghost0));
  CHECK(at::mul_out(out, a, a).is_same(out));
  CHECK(values_of(out) == std::vector<float>({16, 1, 9}));
  CHECK(values_of(at::cat({a, b})) == std::vector<float>({4, 1, 3, 8, 2, 6}));
  CHECK(values_of(at::zeros({2}, at::TensorOptions().device(ghost1))) == std::vector<float>({0, 0}));
  CHECK(values_of(at::ones({2}, at::TensorOptions().device(ghost1)) + 1) == std::vector<float>({2, 2}));
  CHECK(values_of(at::matmul(a.view({1, 3}), a.view({3, 1}))) == std::vector<float>({26}));
  CHECK(values_of(at::linear(a, a.view({1, 3}))) == std::vector<float>({26}));
  CHECK(values_of(at::softmax(at::zeros({2}, at::TensorOptions().device(ghost0)), 0)) ==
        std::vector<float>({0.5, 0.5}));
  CHECK(values_of(at::where(a.gt(2), a, b)) == std::vector<float>({4, 2, 3}));
  CHECK(a.equal(a.clone()));
  CHECK(values_of(at::index(a, {at::arange(2, -1, -2).to(ghost0)})) == std::vector<float>({3, 4}));
  const Tensor filled = at::full({2}, 7, at::TensorOptions().device(ghost1).dtype(at::kFloat));
  CHECK(filled.device() == ghost1 && values_of(filled) == std::vector<float>({7, 7}));
}

static void test_fallback_errors() {
  const torch::Library library = fallback_to_cpu();
  const Tensor a = on_ghost({1, 2, 3});
  CHECK_THROWS(at::mm(a, a), c10::Error, "aten::mm");
  CHECK_THROWS(at::mul(a, on_ghost({1, 2})), c10::Error, "aten::mul");
}

// A kernel that is taken back leaves the fallback or the error.
static void test_registration_ends() {
  const Tensor a = on_ghost({1, 2});
  {
    torch::Library m(torch::Library::IMPL, "aten", DispatchKey::PrivateUse1, C10_FILE_NAME, __LINE__);
    m.impl("neg", [](const Tensor& self) { return at::add(self, self, -2); });
    CHECK(values_of(at::neg(a)) == std::vector<float>({-1, -2}));
  }
  CHECK_THROWS(at::neg(a), c10::NotImplementedError, "aten::neg");
}

static void test_generators() {
  at::Generator generator = at::new_generator(ghost1);
  CHECK_EQ(generator.device(), ghost1);
  generator.set_current_seed(5);
  CHECK_EQ(generator.clone().current_seed(), 5u);
  at::manual_seed(11);
  CHECK_EQ(at::default_generator(ghost0).current_seed(), 11u);
  CHECK_EQ(at::default_generator(ghost1).current_seed(), 11u);
  const torch::Library library = fallback_to_cpu();
  const Tensor a = at::rand({3}, at::TensorOptions().device(ghost0));
  CHECK(a.device() == ghost0 && values_of(a)[0] >= 0 && values_of(a)[0] < 1);
}

int main() {
  RUN(test_name);
  RUN(test_factories);
  RUN(test_copies);
  RUN(test_add);
  RUN(test_views);
  RUN(test_device_checks);
  RUN(test_guards_and_streams);
  RUN(test_missing_kernel);
  RUN(test_fallback);
  RUN(test_fallback_errors);
  RUN(test_registration_ends);
  RUN(test_generators);
  if (ghost::statistics.live_bytes != 0) check::report("ghost", 0, "memory of the device is still in use");
  return check_result();
}
