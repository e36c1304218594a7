// Atomic functions. One thread runs at a time, so plain code is atomic; the access is checked as an atomic
// one.
#pragma once

#include <emulator/launch.h>

#pragma GCC visibility push(default)
namespace emulator {

void check_atomic(const void* address, size_t bytes, const void* pc);

}  // namespace emulator
#pragma GCC visibility pop

// Not inlined: the return address is the place of the call.
#define EMULATOR_ATOMIC(name, result)                                                                 \
  template <class T>                                                                                  \
  __attribute__((noinline, no_sanitize("thread"))) T name(T* target, std::type_identity_t<T> value) { \
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, #name " takes elements of four or eight bytes");  \
    ::emulator::check_atomic(target, sizeof(T), __builtin_return_address(0));                         \
    const T old = *target;                                                                            \
    *target = static_cast<T>(result);                                                                 \
    return old;                                                                                       \
  }

EMULATOR_ATOMIC(atomicAdd, old + value)
EMULATOR_ATOMIC(atomicMin, value < old ? value : old)
EMULATOR_ATOMIC(atomicMax, value > old ? value : old)
EMULATOR_ATOMIC(atomicExch, value)
EMULATOR_ATOMIC(atomicAnd, old& value)
EMULATOR_ATOMIC(atomicOr, old | value)

template <class T>
__attribute__((noinline, no_sanitize("thread"))) T atomicCAS(T* target, std::type_identity_t<T> expected,
                                                             std::type_identity_t<T> desired) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomicCAS takes integers of four or eight bytes");
  ::emulator::check_atomic(target, sizeof(T), __builtin_return_address(0));
  const T old = *target;
  if (old == expected) *target = desired;
  return old;
}
