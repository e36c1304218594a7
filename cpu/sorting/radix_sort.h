// Sorting of entries (sort_keys.h): short lines by std::sort, long ones by radix.
#pragma once

#include <ATen/native/cpu/sorting/sort_keys.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {

constexpr int64_t shortest_radix = 400;

// A line's entries, and a second buffer to move them to.
template <class Entry>
struct Entries {
  Entry* data;
  Entry* spare;
  int64_t n;
  Entries part(int64_t begin, int64_t end) const { return {data + begin, spare + begin, end - begin}; }
};

// Least-significant-digit radix sort by the lowest `key_bits` of the keys. Digits that are equal in all
// entries cost only the count.
template <int key_bits, int digit_bits, class Entry>
void radix_sort(const Entries<Entry>& entries) {
  constexpr int passes = (key_bits + digit_bits - 1) / digit_bits;
  constexpr uint64_t digits = uint64_t(1) << digit_bits;
  uint32_t counts[passes * digits] = {};
  Entry *from = entries.data, *to = entries.spare;
  for (int64_t i = 0; i < entries.n; ++i) {
    for (int pass = 0; pass < passes; ++pass) {
      ++counts[pass * digits + (entry_key(from[i]) >> (pass * digit_bits)) % digits];
    }
  }
  for (int pass = 0; pass < passes; ++pass) {
    uint32_t* count = counts + pass * digits;
    const auto digit = [pass](const Entry& entry) {
      return (entry_key(entry) >> (pass * digit_bits)) % digits;
    };
    if (count[digit(from[0])] == entries.n) {
      continue;
    }
    uint32_t position = 0;
    for (uint64_t d = 0; d < digits; ++d) {
      position += std::exchange(count[d], position);
    }
    for (int64_t i = 0; i < entries.n; ++i) {
      to[count[digit(from[i])]++] = from[i];
    }
    std::swap(from, to);
  }
  if (from != entries.data) {
    std::memcpy(entries.data, from, entries.n * sizeof(Entry));
  }
}

template <int key_bits, class Entry>
void sort_in_cache(const Entries<Entry>& entries) {
  if (entries.n < shortest_radix || entries.n > std::numeric_limits<uint32_t>::max()) {
    std::sort(entries.data, entries.data + entries.n);
  } else if (key_bits >= 32 && entries.n >= 3000) {
    radix_sort<key_bits, 11>(entries);
  } else {
    radix_sort<key_bits, 8>(entries);
  }
}

// Partitions many entries of wide keys by the leading bits of their keys' range, so that each part is sorted
// in cache.
template <class Entry>
void sort_in_parts(const Entries<Entry>& entries) {
  constexpr int part_bits = 8;
  constexpr int64_t parts = int64_t(1) << part_bits;
  uint64_t least = ~uint64_t(0), most = 0;
  for (int64_t i = 0; i < entries.n; ++i) {
    least = std::min(least, entries.data[i].key);
    most = std::max(most, entries.data[i].key);
  }
  const int range_bits = most == least ? 0 : 64 - __builtin_clzll(most - least);
  const int shift = std::max(0, range_bits - part_bits);
  int64_t ends[parts + 1] = {};
  for (int64_t i = 0; i < entries.n; ++i) {
    ++ends[((entries.data[i].key - least) >> shift) + 1];
  }
  for (int64_t part = 1; part <= parts; ++part) {
    ends[part] += ends[part - 1];
  }
  for (int64_t i = 0; i < entries.n; ++i) {  // afterwards ends[part] is where the part ends
    entries.spare[ends[(entries.data[i].key - least) >> shift]++] = entries.data[i];
  }
  std::memcpy(entries.data, entries.spare, entries.n * sizeof(Entry));
  for (int64_t part = 0, begin = 0; part < parts; begin = ends[part++]) {
    if (ends[part] > begin) {
      sort_in_cache<64>(entries.part(begin, ends[part]));
    }
  }
}

template <int key_bits, class Entry>
void sort_entries(const Entries<Entry>& entries) {
  constexpr int64_t many = 32768;
  if constexpr (key_bits == 64 && !std::is_same_v<Entry, PackedEntry>) {
    if (entries.n > many) {
      return sort_in_parts(entries);
    }
  }
  sort_in_cache<key_bits>(entries);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
