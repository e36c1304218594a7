// sort on the CPU: keys with indices, short lines by std::sort, long ones by radix.
#include <ATen/native/cpu/sorting/radix_sort.h>
#include <ATen/native/cpu/sorting/sort_keys.h>
#include <ATen/native/sorting/stubs.h>

#include <ATen/Dispatch_v2.h>
#include <ATen/Parallel.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <limits>

namespace at::native {
namespace {

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
