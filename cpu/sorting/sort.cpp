// sort on the CPU: keys with indices, short lines by std::sort, long ones by radix.
#include <ATen/native/cpu/sorting/sort_keys.h>
#include <ATen/native/sorting/stubs.h>

#include <ATen/Dispatch_v2.h>
#include <ATen/Parallel.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace at::native {
namespace {

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

// Partitions many wide entries by the leading bits of their keys' range, so that each part is sorted in
// cache.
void sort_in_parts(const Entries<WideEntry>& entries) {
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
  std::memcpy(entries.data, entries.spare, entries.n * sizeof(WideEntry));
  for (int64_t part = 0, begin = 0; part < parts; begin = ends[part++]) {
    if (ends[part] > begin) {
      sort_in_cache<64>(entries.part(begin, ends[part]));
    }
  }
}

template <int key_bits, class Entry>
void sort_entries(const Entries<Entry>& entries) {
  constexpr int64_t many = 32768;
  if constexpr (std::is_same_v<Entry, WideEntry>) {
    if (entries.n > many) {
      return sort_in_parts(entries);
    }
  }
  sort_in_cache<key_bits>(entries);
}

template <class T, class Entry>
void sort_line(const T* x, int64_t x_step, T* y, int64_t y_step, int64_t* y_index, int64_t index_step,
               Key<T> flip, const Entries<Entry>& entries) {
  for (int64_t i = 0; i < entries.n; ++i) {
    entries.data[i] = make_entry<Entry>(static_cast<Key<T>>(order_key(x[i * x_step]) ^ flip), i);
  }
  sort_entries<8 * sizeof(T)>(entries);
  for (int64_t i = 0; i < entries.n; ++i) {
    const int64_t index = entry_index(entries.data[i]);
    if constexpr (std::is_integral_v<T>) {
      y[i * y_step] = number_of_key<T>(static_cast<Key<T>>(entry_key(entries.data[i]) ^ flip));
    } else {  // the keys of NaNs and zeros don't tell which one it was
      y[i * y_step] = x[index * x_step];
    }
    y_index[i * index_step] = index;
  }
}

template <class T, class Entry>
void sort_lines(const TensorBase& self, const TensorBase& values, const TensorBase& indices, int64_t dim,
                int64_t n, bool descending) {
  const SortLines from(self, dim), to(values, dim), to_index(indices, dim);
  const T* in = self.const_data_ptr<T>();
  T* out = values.mutable_data_ptr<T>();
  int64_t* out_index = indices.mutable_data_ptr<int64_t>();
  const Key<T> flip = descending ? static_cast<Key<T>>(~Key<T>(0)) : Key<T>(0);
  at::parallel_for(0, self.numel() / n, std::max<int64_t>(1, 4096 / n), [&](int64_t begin, int64_t end) {
    const c10::DataPtr memory = c10::GetCPUAllocator()->allocate(2 * n * sizeof(Entry));
    Entry* data = static_cast<Entry*>(memory.get());
    for (int64_t line = begin; line < end; ++line) {
      sort_line<T, Entry>(in + from.offset(line), from.step, out + to.offset(line), to.step,
                          out_index + to_index.offset(line), to_index.step, flip, {data, data + n, n});
    }
  });
}

void sort_kernel(const TensorBase& self, const TensorBase& values, const TensorBase& indices, int64_t dim,
                 bool descending, bool /*stable: always*/) {
  const int64_t n = self.dim() == 0 ? 1 : self.size(dim);
  AT_DISPATCH_V2(self.scalar_type(), "sort", AT_WRAP([&] {
                   if (sizeof(scalar_t) <= 4 && n <= std::numeric_limits<uint32_t>::max()) {
                     sort_lines<scalar_t, PackedEntry>(self, values, indices, dim, n, descending);
                   } else {
                     sort_lines<scalar_t, WideEntry>(self, values, indices, dim, n, descending);
                   }
                 }),
                 AT_EXPAND(AT_ALL_TYPES), kBool, kHalf, kBFloat16, AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
}

}  // namespace

REGISTER_DISPATCH(sort_stub, &sort_kernel)

}  // namespace at::native
