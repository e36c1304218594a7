// The error that the AT_DISPATCH_* macros throw.
#include <ATen/Dispatch.h>

namespace at::inline C10_ABI {
namespace detail {

void dispatch_unsupported_dtype(const char* kernel, c10::ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, '"', kernel, "\" not implemented for '", c10::toString(dtype), "'");
}

}  // namespace detail
}  // namespace at::inline C10_ABI
