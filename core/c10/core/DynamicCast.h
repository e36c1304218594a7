// Loads and stores one element of a type known only at run time, with conversion.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/Load.h>
#include <c10/util/TypeCast.h>

namespace c10::inline C10_ABI {

#if defined(C10_DEVICE_CODE)
#define C10_UNSUPPORTED_CAST_() CUDA_KERNEL_ASSERT(false)
#else
#define C10_UNSUPPORTED_CAST_() TORCH_CHECK(false, "cannot convert elements of type ", type)
#endif

/// The element at `ptr`, of type `src_type`, as dest_t.
template <class dest_t>
C10_HOST_DEVICE inline dest_t fetch_and_cast(const ScalarType src_type, const void* ptr) {
  const ScalarType type = src_type;
  switch (type) {
#define C10_FETCH_CASE_(cpp_type, name) \
  case ScalarType::name:                \
    return convert<dest_t>(load<cpp_type>(ptr));
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(C10_FETCH_CASE_)
    AT_FORALL_LIMITED_TYPES(C10_FETCH_CASE_)
#undef C10_FETCH_CASE_
    default:
      C10_UNSUPPORTED_CAST_();
  }
  return dest_t(0);
}

/// Writes `value` to `ptr` as an element of type `dest_type`.
template <class src_t>
C10_HOST_DEVICE inline void cast_and_store(const ScalarType dest_type, void* ptr, src_t value) {
  const ScalarType type = dest_type;
  switch (type) {
#define C10_STORE_CASE_(cpp_type, name)                      \
  case ScalarType::name:                                     \
    *static_cast<cpp_type*>(ptr) = convert<cpp_type>(value); \
    return;
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(C10_STORE_CASE_)
    AT_FORALL_LIMITED_TYPES(C10_STORE_CASE_)
#undef C10_STORE_CASE_
    default:
      C10_UNSUPPORTED_CAST_();
  }
}
#undef C10_UNSUPPORTED_CAST_

}  // namespace c10::inline C10_ABI
