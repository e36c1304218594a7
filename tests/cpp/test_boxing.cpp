// Calls between C++ types and stacks: every type of the schemas' vocabulary there and back.
#include <ATen/core/IListRef.h>
#include <ATen/core/Library.h>
#include <ATen/core/OperatorTypes.h>
#include <ATen/core/OptionalTensorRef.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <array>
#include <string>
#include <tuple>

#include "check.h"
#include "dispatch_common.h"

using c10::IValue;
using c10::List;
using c10::Stack;

static void test_ivalue() {
  const at::Tensor t = cpu_tensor();
  IValue v = t;
  CHECK(v.isTensor() && v.toTensor().is_same(t));
  CHECK(t.use_count() == 2);
  IValue copy = v;
  CHECK(t.use_count() == 3);
  IValue moved = std::move(copy);
  CHECK(copy.isNone() && moved.isTensor() && t.use_count() == 3);
  v = IValue();
  moved = IValue(7);
  CHECK(t.use_count() == 1 && moved.toInt() == 7);
  CHECK(IValue(at::Scalar(2.5)).isDouble() && IValue(at::Scalar(true)).isBool() &&
        IValue(at::Scalar(3)).isInt());
  CHECK(IValue(c10::complex<double>(1, 2)).toScalar().toComplexDouble().imag() == 2);
  CHECK(IValue("text").toStringView() == "text");
  CHECK(IValue(c10::kFloat).toScalarType() == c10::kFloat);
  CHECK(IValue(std::optional<int64_t>()).isNone() && IValue(std::optional<int64_t>(4)).toInt() == 4);
  CHECK(IValue(std::vector<int64_t>{1, 2}).toIntVector()[1] == 2);
  CHECK(IValue(std::array<bool, 2>{true, false}).toBoolVector()[0]);
  CHECK((IValue(std::make_tuple(int64_t{1}, 2.0)).to<std::tuple<int64_t, double>>() ==
         std::make_tuple(int64_t{1}, 2.0)));
  CHECK(IValue(std::vector<at::Tensor>{t}).isTensorList() && !IValue(std::vector<int64_t>{1}).isTensorList());
  CHECK(contains(error_of<c10::TypeError>([&] { (void)IValue(1).toTensor(); }),
                 "expected a value of kind Tensor, but got Int"));
  int released = 0;
  {
    const IValue object = IValue::from_py_object(&released, [](void* p) { ++*static_cast<int*>(p); });
  }
  CHECK(released == 1);
}

static void test_lists() {
  const at::Tensor t = cpu_tensor();
  List<std::optional<at::Tensor>> list({t, std::nullopt});
  CHECK(list.size() == 2 && list.get(0)->is_same(t) && !list.get(1).has_value());
  const List<std::optional<at::Tensor>> shared = list;
  list[1] = t;
  CHECK(shared.get(1).has_value() && shared.is(list) && !shared.copy().is(list));
  CHECK(list.dispatch_key_set() == t.key_set());
  int n = 0;
  for (const std::optional<at::Tensor>& e : list) n += e.has_value();
  CHECK(n == 2);

  const std::vector<at::Tensor> tensors{t, t};
  const at::ITensorListRef unboxed(tensors);
  const at::ITensorListRef boxed{List<at::Tensor>({t, t})};
  CHECK(unboxed.isUnboxed() && boxed.isBoxed() && unboxed.size() == 2);
  CHECK(unboxed.materialize()[1].get().is_same(t));
  CHECK(!at::OptionalTensorRef(at::Tensor()).has_value() && (*at::OptionalTensorRef(t)).is_same(t));
}

// One kernel with every kind of argument; returns what it saw.
using Everything = std::tuple<at::Tensor, std::vector<at::Tensor>, int64_t, double, bool, at::Scalar>(
    const at::Tensor&, const std::optional<at::Tensor>&, at::TensorList,
    const List<std::optional<at::Tensor>>&, c10::SymInt, double, bool, const at::Scalar&, std::string_view,
    c10::SymIntArrayRef, at::OptionalIntArrayRef, std::optional<at::ScalarType>, std::optional<at::Device>,
    std::array<bool, 3>, std::optional<at::ArrayRef<double>>, std::optional<at::Generator>,
    std::optional<at::MemoryFormat>, const at::ITensorListRef&);

static std::string seen_text;
static std::tuple<at::Tensor, std::vector<at::Tensor>, int64_t, double, bool, at::Scalar> everything(
    const at::Tensor& a, const std::optional<at::Tensor>& b, at::TensorList c,
    const List<std::optional<at::Tensor>>& d, int64_t i, double f, bool flag, const at::Scalar& s,
    std::string_view text, at::IntArrayRef ints, at::OptionalIntArrayRef more,
    std::optional<at::ScalarType> dtype, std::optional<at::Device> device, std::array<bool, 3> mask,
    std::optional<at::ArrayRef<double>> doubles, std::optional<at::Generator> g,
    std::optional<at::MemoryFormat> format, const at::ITensorListRef& list) {
  seen_text = text;
  CHECK(!b.has_value() && d.size() == 2 && !d.get(1).has_value() && more.has_value() && more->size() == 3);
  CHECK(dtype == at::kFloat && device == at::Device(at::kCPU) && mask[2] && !mask[0] && !g.has_value());
  CHECK(doubles.has_value() && (*doubles)[0] == 0.5 && !format.has_value() && list.size() == 1);
  return {a, c.vec(), i + ints[1], f, flag, s};
}

static constexpr const char* everything_schema =
    "everything(Tensor a, Tensor? b, Tensor[] c, Tensor?[] d, SymInt i, float f, bool flag, Scalar s, str "
    "text, "
    "SymInt[] ints, int[]? more, ScalarType? dtype, Device? device, bool[3] mask, float[]? doubles, "
    "Generator? g, "
    "MemoryFormat? format, Tensor[] list) -> (Tensor, Tensor[], int, float, bool, Scalar)";

static Stack everything_stack(const at::Tensor& t) {
  return {t,
          IValue(),
          std::vector<at::Tensor>{t, t},
          List<std::optional<at::Tensor>>({t, std::nullopt}),
          40,
          1.5,
          true,
          at::Scalar(9),
          "hello",
          std::vector<int64_t>{1, 2},
          std::vector<int64_t>{1, 2, 3},
          at::kFloat,
          at::Device(at::kCPU),
          std::array<bool, 3>{false, false, true},
          std::vector<double>{0.5},
          IValue(),
          IValue(),
          std::vector<at::Tensor>{t}};
}

static void check_everything(const Stack& stack, const at::Tensor& t) {
  CHECK(stack.size() == 6 && seen_text == "hello");
  CHECK(stack[0].toTensor().is_same(t) && stack[1].toTensorVector().size() == 2 && stack[2].toInt() == 42);
  CHECK(stack[3].toDouble() == 1.5 && stack[4].toBool() && stack[5].toScalar().toLong() == 9);
}

static void test_every_type() {
  torch::Library library(torch::Library::FRAGMENT, "boxing", std::nullopt, "test", 1);
  library.def(everything_schema, &everything);
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("boxing::everything", "");
  const at::Tensor t = cpu_tensor();
  Stack stack = everything_stack(t);
  op.callBoxed(stack);
  check_everything(stack, t);

  // C++ types -> a boxed kernel above -> the unboxed one.
  torch::Library above(torch::Library::IMPL, "boxing", c10::DispatchKey::AutogradCPU, "test", 2);
  int passed = 0;
  above.impl("everything", [&passed](const c10::OperatorHandle& o, c10::DispatchKeySet ks, Stack* s) {
    ++passed;
    o.redispatchBoxed(ks & c10::after_autograd_keyset, s);
  });
  const std::vector<at::Tensor> tensors{t};
  const auto [tensor, list, i, f, flag, s] = op.typed<Everything>().call(
      t, std::nullopt, tensors, List<std::optional<at::Tensor>>({t, std::nullopt}), 1, 2.5, true, 3,
      "unboxed", c10::fromIntArrayRefSlow({4, 5}), at::IntArrayRef{1, 2, 3}, at::kFloat, at::Device(at::kCPU),
      std::array<bool, 3>{false, false, true}, at::ArrayRef<double>{0.5}, std::nullopt, std::nullopt,
      tensors);
  CHECK(tensor.is_same(t) && list.size() == 1 && i == 6 && f == 2.5 && flag && s.toLong() == 3);
  CHECK(seen_text == "unboxed" && passed == 1);
}

static at::Tensor& in_place(at::Tensor& self, const at::Tensor&) { return self; }
static at::Tensor& to_out(const at::Tensor&, at::Tensor& out) { return out; }
static std::tuple<at::Tensor&, at::Tensor&> to_outs(const at::Tensor&, at::Tensor& a, at::Tensor& b) {
  return {a, b};
}
static void nothing(const at::Tensor&) {}

// Operators that return a reference return the argument itself, through boxed kernels too.
static void test_references() {
  torch::Library library(torch::Library::FRAGMENT, "boxing", std::nullopt, "test", 3);
  library.def("f_(Tensor(a!) self, Tensor other) -> Tensor(a!)", &in_place);
  library.def("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", &to_out);
  library.def("f.outs(Tensor self, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))", &to_outs);
  library.def("f.none(Tensor self) -> ()", &nothing);
  torch::Library through(torch::Library::IMPL, "_", c10::DispatchKey::AutogradCPU, "test", 4);
  int passed = 0;
  through.fallback([&passed](const c10::OperatorHandle& o, c10::DispatchKeySet ks, Stack* s) {
    ++passed;
    o.redispatchBoxed(ks & c10::after_autograd_keyset, s);
  });
  torch::Library cpu(torch::Library::IMPL, "boxing", c10::DispatchKey::CPU, "test", 5);
  cpu.impl("f_", &in_place).impl("f.out", &to_out).impl("f.outs", &to_outs).impl("f.none", &nothing);
  const auto& dispatcher = c10::Dispatcher::singleton();
  at::Tensor a = cpu_tensor(), b = cpu_tensor(), c = cpu_tensor();
  CHECK(&dispatcher.findSchemaOrThrow("boxing::f_", "")
             .typed<at::Tensor&(at::Tensor&, const at::Tensor&)>()
             .call(a, b) == &a);
  CHECK(&dispatcher.findSchemaOrThrow("boxing::f", "out")
             .typed<at::Tensor&(const at::Tensor&, at::Tensor&)>()
             .call(a, b) == &b);
  const auto outs =
      dispatcher.findSchemaOrThrow("boxing::f", "outs")
          .typed<std::tuple<at::Tensor&, at::Tensor&>(const at::Tensor&, at::Tensor&, at::Tensor&)>()
          .call(a, b, c);
  CHECK(&std::get<0>(outs) == &b && &std::get<1>(outs) == &c);
  dispatcher.findSchemaOrThrow("boxing::f", "none").typed<void(const at::Tensor&)>().call(a);
  CHECK(passed == 4);
}

static void test_wrong_stacks() {
  torch::Library library(torch::Library::FRAGMENT, "boxing", std::nullopt, "test", 6);
  library.def("g(Tensor self, int n) -> Tensor", [](const at::Tensor& self, int64_t) { return self; });
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("boxing::g", "");
  Stack few{cpu_tensor()};
  CHECK(contains(error_of([&] { op.callBoxed(few); }), "boxing::g: expects 2 arguments"));
  Stack wrong{cpu_tensor(), "text"};
  CHECK(contains(error_of<c10::TypeError>([&] { op.callBoxed(wrong); }),
                 "expected a value of kind Int, but got String"));
  torch::Library cpu(torch::Library::IMPL, "boxing", c10::DispatchKey::CPU, "test", 7);
  cpu.impl("g", [](const c10::OperatorHandle&, Stack* s) { s->clear(); });
  CHECK(contains(error_of([&] { op.typed<at::Tensor(const at::Tensor&, int64_t)>().call(cpu_tensor(), 1); }),
                 "a boxed kernel left 0 values on the stack, not the 1 results"));
}

int main() {
  RUN(test_ivalue);
  RUN(test_lists);
  RUN(test_every_type);
  RUN(test_references);
  RUN(test_wrong_stacks);
  return check_result();
}
