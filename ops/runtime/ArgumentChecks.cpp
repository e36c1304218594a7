// Error messages of failed conditions.
#include <ATen/native/ArgumentChecks.h>

#include <c10/util/Exception.h>

namespace at::inline C10_ABI::impl {

namespace {

template <class Got>
[[noreturn]] void fail(const c10::OperatorEntry& op, const char* condition, const Got& got) {
  TORCH_CHECK(false, op.qualified_name, "(): expected ", condition, ", but got ", got);
}

}  // namespace

void throw_condition(const c10::OperatorEntry& op, const char* condition, int64_t got) {
  fail(op, condition, got);
}
void throw_condition(const c10::OperatorEntry& op, const char* condition, double got) {
  fail(op, condition, got);
}
void throw_condition(const c10::OperatorEntry& op, const char* condition, IntArrayRef got) {
  fail(op, condition, got);
}
void throw_condition(const c10::OperatorEntry& op, const char* condition, ScalarType got) {
  fail(op, condition, got);
}

}  // namespace at::inline C10_ABI::impl
