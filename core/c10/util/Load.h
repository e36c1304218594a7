// Loads an element from memory. A bool from outside may be any byte; every byte but 0 is true.
#pragma once

#include <c10/macros/Macros.h>

#include <type_traits>

namespace c10::inline C10_ABI {

template <class T>
C10_HOST_DEVICE constexpr T load(const void* src) {
  if constexpr (std::is_same_v<T, bool>) {
    return *static_cast<const unsigned char*>(src) != 0;
  } else {
    return *static_cast<const T*>(src);
  }
}
template <class T>
C10_HOST_DEVICE constexpr T load(const T* src) {
  return load<T>(static_cast<const void*>(src));
}

}  // namespace c10::inline C10_ABI
