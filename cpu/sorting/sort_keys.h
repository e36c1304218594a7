// Shared by sort and topk: values as unsigned keys of the same order, and the lines of a tensor along a
// dimension.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/math/types.h>

#include <cstdint>

namespace at::native {
inline namespace CPU_CAPABILITY {

template <size_t bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = uint8_t;
};
template <>
struct UnsignedOf<2> {
  using type = uint16_t;
};
template <>
struct UnsignedOf<4> {
  using type = uint32_t;
};
template <>
struct UnsignedOf<8> {
  using type = uint64_t;
};
template <class T>
using Key = typename UnsignedOf<sizeof(T)>::type;

// An unsigned key with the order of x. All NaNs have the largest key; both zeros have the same.
template <class T>
C10_ALWAYS_INLINE Key<T> order_key(T x) {
  using K = Key<T>;
  constexpr K sign = static_cast<K>(K(1) << (8 * sizeof(T) - 1));
  if constexpr (std::is_unsigned_v<T>) {  // bool, too
    return static_cast<K>(x);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<K>(static_cast<K>(x) ^ sign);
  } else {
    const ufunc::opmath<T> wide = static_cast<ufunc::opmath<T>>(x);
    const K raw = __builtin_bit_cast(K, x);
    K key = raw & sign ? static_cast<K>(~raw) : static_cast<K>(raw | sign);
    key = wide == 0 ? sign : key;
    return wide != wide ? static_cast<K>(~K(0)) : key;
  }
}

// The integer that has this key.
template <class T>
C10_ALWAYS_INLINE T number_of_key(Key<T> key) {
  if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(key);
  } else {
    return static_cast<T>(key ^ static_cast<Key<T>>(Key<T>(1) << (8 * sizeof(T) - 1)));
  }
}

// The same without making zeros and NaNs of different bits equal, but for the bits of NaNs: from such a key
// the value can be made again.
template <class T>
C10_ALWAYS_INLINE Key<T> exact_key(T x) {
  if constexpr (std::is_integral_v<T>) {
    return order_key(x);
  } else {
    using K = Key<T>;
    constexpr K sign = static_cast<K>(K(1) << (8 * sizeof(T) - 1));
    const ufunc::opmath<T> wide = static_cast<ufunc::opmath<T>>(x);
    const K raw = __builtin_bit_cast(K, x);
    const K key = raw & sign ? static_cast<K>(~raw) : static_cast<K>(raw | sign);
    return wide != wide ? static_cast<K>(~K(0)) : key;
  }
}

template <class T>
C10_ALWAYS_INLINE T value_of_key(Key<T> key) {
  if constexpr (std::is_integral_v<T>) {
    return number_of_key<T>(key);
  } else {
    using K = Key<T>;
    constexpr K sign = static_cast<K>(K(1) << (8 * sizeof(T) - 1));
    return __builtin_bit_cast(T, key & sign ? static_cast<K>(key ^ sign) : static_cast<K>(~key));
  }
}

// A key alone.
template <class K>
struct BareEntry {
  K key;
  bool operator<(const BareEntry& other) const { return key < other.key; }
};

// A key with the index of its element. Entries are ordered by key, then index, so that any sort of them is
// stable.
struct WideEntry {
  uint64_t key;
  int64_t index;
  bool operator<(const WideEntry& other) const {
    return key != other.key ? key < other.key : index < other.index;
  }
};
// Keys of at most 32 bits share one word with the index.
using PackedEntry = uint64_t;

template <class Entry, class K>
C10_ALWAYS_INLINE Entry make_entry(K key, int64_t index) {
  if constexpr (std::is_same_v<Entry, PackedEntry>) {
    return static_cast<uint64_t>(key) << 32 | static_cast<uint32_t>(index);
  } else {
    return {key, index};
  }
}
template <class K>
C10_ALWAYS_INLINE uint64_t entry_key(const BareEntry<K>& entry) {
  return entry.key;
}
C10_ALWAYS_INLINE uint64_t entry_key(PackedEntry entry) { return entry >> 32; }
C10_ALWAYS_INLINE uint64_t entry_key(const WideEntry& entry) { return entry.key; }
C10_ALWAYS_INLINE int64_t entry_index(PackedEntry entry) { return static_cast<uint32_t>(entry); }
C10_ALWAYS_INLINE int64_t entry_index(const WideEntry& entry) { return entry.index; }

// Where lines of a tensor along `dim` begin, and the distance of their elements.
class SortLines {
 public:
  SortLines(const TensorBase& t, int64_t dim)
      : sizes_(t.sizes()), strides_(t.strides()), dim_(dim), step(t.dim() == 0 ? 1 : t.stride(dim)) {}

  int64_t offset(int64_t line) const {
    int64_t result = 0;
    for (int64_t d = static_cast<int64_t>(sizes_.size()) - 1; d >= 0; --d) {
      if (d != dim_) {
        result += line % sizes_[d] * strides_[d];
        line /= sizes_[d];
      }
    }
    return result;
  }

 private:
  IntArrayRef sizes_, strides_;
  int64_t dim_;

 public:
  const int64_t step;
};

}  // namespace CPU_CAPABILITY
}  // namespace at::native
