// Atomic updates of elements, for every dtype.
#pragma once

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <cstdint>
#include <type_traits>

namespace at::native {

namespace atomic_detail {

template <class T>
__device__ T sum(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return static_cast<T>(static_cast<float>(a) + static_cast<float>(b));
  }
}

// Elements of one or two bytes become combine(element, value), by a compare-and-swap of the aligned word that
// contains them. The word belongs to the same allocation: sizes of blocks are multiples of it.
template <class T, class Combine>
__device__ void combine_in_word(T* target, T value, const Combine& combine) {
  const auto address = reinterpret_cast<uintptr_t>(target);
  auto* word = reinterpret_cast<unsigned*>(address & ~uintptr_t{3});
  const unsigned shift = static_cast<unsigned>(address & 3) * 8;
  const unsigned mask = (sizeof(T) == 1 ? 0xffu : 0xffffu) << shift;
  using Bits = std::conditional_t<sizeof(T) == 1, uint8_t, uint16_t>;
  unsigned seen = *word, assumed;
  do {
    assumed = seen;
    const Bits old_bits = static_cast<Bits>((assumed & mask) >> shift);
    T old;
    memcpy(&old, &old_bits, sizeof(T));
    const T updated = combine(old, value);
    Bits new_bits;
    memcpy(&new_bits, &updated, sizeof(T));
    seen = atomicCAS(word, assumed, (assumed & ~mask) | (static_cast<unsigned>(new_bits) << shift));
  } while (seen != assumed);
}

// Elements of four or eight bytes.
template <class Word, class T, class Combine>
__device__ void combine_word(T* target, T value, const Combine& combine) {
  auto* word = reinterpret_cast<Word*>(target);
  Word seen = *word, assumed;
  do {
    assumed = seen;
    T old;
    memcpy(&old, &assumed, sizeof(T));
    const T updated = combine(old, value);
    Word desired;
    memcpy(&desired, &updated, sizeof(T));
    seen = atomicCAS(word, assumed, desired);
  } while (seen != assumed);
}

}  // namespace atomic_detail

/// *target = combine(*target, value). Elements of 16 bytes can't be swapped atomically.
template <class T, class Combine>
__device__ void atomic_combine(T* target, T value, const Combine& combine) {
  if constexpr (sizeof(T) <= 2) {
    atomic_detail::combine_in_word(target, value, combine);
  } else if constexpr (sizeof(T) == 4) {
    atomic_detail::combine_word<unsigned>(target, value, combine);
  } else {
    static_assert(sizeof(T) == 8);
    atomic_detail::combine_word<unsigned long long>(target, value, combine);
  }
}

template <class T>
__device__ void atomic_add(T* target, T value) {
  if constexpr (sizeof(T) <= 2) {
    atomic_detail::combine_in_word(target, value, [](T a, T b) { return atomic_detail::sum(a, b); });
  } else if constexpr (std::is_same_v<T, int32_t>) {
    atomicAdd(reinterpret_cast<unsigned*>(target), static_cast<unsigned>(value));
  } else if constexpr (std::is_same_v<T, int64_t>) {
    atomicAdd(reinterpret_cast<unsigned long long*>(target), static_cast<unsigned long long>(value));
  } else {
    atomicAdd(target, value);
  }
}

template <class T>
__device__ void atomic_add(c10::complex<T>* target, c10::complex<T> value) {
  auto* parts = reinterpret_cast<T*>(target);
  atomicAdd(parts, value.real());
  atomicAdd(parts + 1, value.imag());
}

}  // namespace at::native
