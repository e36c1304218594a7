// Assertions in exported programs: conditions assumed at export are checked at run time.
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>
#include <c10/util/OptionalArrayRef.h>

#include <ATen/ops/_assert_async_native.h>
#include <ATen/ops/_assert_scalar.h>
#include <ATen/ops/_assert_scalar_native.h>
#include <ATen/ops/_assert_tensor_metadata_native.h>
#include <ATen/ops/_functional_assert_async_native.h>
#include <ATen/ops/_functional_assert_scalar_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/is_nonzero.h>

#include <string_view>

namespace at::native {

namespace {

void check_numbers(const char* what, IntArrayRef got, const std::optional<IntArrayRef>& expected) {
  TORCH_CHECK(!expected || got == *expected, "Tensor ", what, " mismatch! Expected: ", *expected,
              ", Got: ", got);
}

void check_dtype_and_place(const Tensor& a, std::optional<ScalarType> dtype, std::optional<Device> device,
                           std::optional<Layout> layout) {
  TORCH_CHECK(!dtype || a.scalar_type() == *dtype, "Tensor dtype mismatch! Expected: ", *dtype,
              ", Got: ", a.scalar_type());
  const bool same_place = !device || (a.device().type() == device->type() &&
                                      (!device->has_index() || device->index() == a.device().index()));
  TORCH_CHECK(same_place, "Tensor device mismatch! Expected: ", *device, ", Got: ", a.device());
  TORCH_CHECK(!layout || a.layout() == *layout, "Tensor layout mismatch! Expected: ", *layout,
              ", Got: ", a.layout());
}

void check_nonzero(const Tensor& self, std::string_view message) {
  const int64_t n = self.numel();
  TORCH_CHECK(n != 0, "Boolean value of Tensor with no values is ambiguous");
  TORCH_CHECK(n < 2, "Boolean value of Tensor with more than one value is ambiguous");
  TORCH_CHECK(at::is_nonzero(self), message);
}

}  // namespace

void _assert_tensor_metadata(const Tensor& a, OptionalIntArrayRef size, OptionalIntArrayRef stride,
                             std::optional<ScalarType> dtype, std::optional<Device> device,
                             std::optional<Layout> layout) {
  check_numbers("sizes", a.sizes(), size);
  check_numbers("strides", a.strides(), stride);
  check_dtype_and_place(a, dtype, device, layout);
}

// Without a device to run on, a tensor's device proves nothing.
void _assert_tensor_metadata_meta_symint(const Tensor& a, at::OptionalSymIntArrayRef /*size*/,
                                         at::OptionalSymIntArrayRef /*stride*/,
                                         std::optional<ScalarType> dtype, std::optional<Device> /*device*/,
                                         std::optional<Layout> layout) {
  check_dtype_and_place(a, dtype, std::nullopt, layout);
}

void _assert_async(const Tensor& self) {
  check_nonzero(self, "Expected Tensor with single nonzero value, but got zero");
}
void _assert_async_msg(const Tensor& self, std::string_view assert_msg) { check_nonzero(self, assert_msg); }
void _assert_async_meta(const Tensor& /*self*/) {}
void _assert_async_msg_meta(const Tensor& /*self*/, std::string_view /*assert_msg*/) {}

Tensor _functional_assert_async_msg(const Tensor& self, std::string_view assert_msg,
                                    const Tensor& dep_token) {
  check_nonzero(self, assert_msg);
  return dep_token.clone();
}
Tensor _functional_assert_async_msg_meta(const Tensor& /*self*/, std::string_view /*assert_msg*/,
                                         const Tensor& dep_token) {
  return dep_token.clone();
}

void _assert_scalar(const Scalar& self, std::string_view assert_msg) {
  TORCH_CHECK(self.toBool(), assert_msg);
}

Tensor _functional_assert_scalar(const Scalar& self, std::string_view assert_msg, const Tensor& dep_token) {
  at::_assert_scalar(self, assert_msg);
  return dep_token.clone();
}

}  // namespace at::native
