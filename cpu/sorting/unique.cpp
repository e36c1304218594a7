// Unique elements and rows on the CPU: sorting without positions, runs of equal elements, the order of rows.
#include <ATen/native/cpu/sorting/radix_sort.h>
#include <ATen/native/cpu/sorting/sort_keys.h>
#include <ATen/native/sorting/stubs.h>

#include <ATen/Dispatch_v2.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <utility>

namespace at::native {
namespace {

#define AT_DISPATCH_ORDERED(TYPE, NAME, ...)                                                         \
  AT_DISPATCH_V2(TYPE, NAME, AT_WRAP(__VA_ARGS__), AT_EXPAND(AT_ALL_TYPES), kBool, kHalf, kBFloat16, \
                 AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES))

// The keys take the values' place while they are sorted.
void sort_values(const TensorBase& values) {
  AT_DISPATCH_ORDERED(values.scalar_type(), "unique", [&] {
    using Entry = BareEntry<Key<scalar_t>>;
    const int64_t n = values.numel();
    auto* x = values.mutable_data_ptr<scalar_t>();
    auto* keys = reinterpret_cast<Entry*>(x);
    const c10::DataPtr spare = c10::GetCPUAllocator()->allocate(n * sizeof(Entry));
    for (int64_t i = 0; i < n; ++i) keys[i].key = exact_key(x[i]);
    sort_entries<8 * sizeof(scalar_t)>(Entries<Entry>{keys, static_cast<Entry*>(spare.get()), n});
    for (int64_t i = 0; i < n; ++i) x[i] = value_of_key<scalar_t>(keys[i].key);
  });
}

// Where each run begins is written over and over until the next one begins: a branch would be mispredicted.
template <class T>
int64_t write_runs(T* values, int64_t* starts, int64_t* inverse, const T* self, const int64_t* order,
                   int64_t n) {
  int64_t run = 0;
  T last = self[0];
  values[0] = last;
  if (starts) starts[0] = 0;
  if (inverse) inverse[order ? order[0] : 0] = 0;
  const auto visit = [&](auto with_starts, auto with_inverse, auto with_order) {
    for (int64_t i = 1; i < n; ++i) {
      const T x = self[i];
      values[run + 1] = x;
      if constexpr (with_starts) starts[run + 1] = i;
      run += !(x == last);
      if constexpr (with_inverse) inverse[with_order ? order[i] : i] = run;
      last = x;
    }
  };
  using Yes = std::true_type;
  using No = std::false_type;
  if (!inverse) {
    starts ? visit(Yes(), No(), No()) : visit(No(), No(), No());
  } else if (order) {
    starts ? visit(Yes(), Yes(), Yes()) : visit(No(), Yes(), Yes());
  } else {
    starts ? visit(Yes(), Yes(), No()) : visit(No(), Yes(), No());
  }
  return run + 1;
}

int64_t* indices_or_null(const TensorBase& t) {
  return t.defined() ? t.mutable_data_ptr<int64_t>() : nullptr;
}

int64_t find_runs(const TensorBase& values, const TensorBase& counts, const TensorBase& inverse,
                  const TensorBase& self, const TensorBase& order) {
  const int64_t n = self.numel();
  int64_t* starts = indices_or_null(counts);
  int64_t runs = 0;
  AT_DISPATCH_ORDERED(self.scalar_type(), "unique", [&] {
    runs = write_runs(values.mutable_data_ptr<scalar_t>(), starts, indices_or_null(inverse),
                      self.const_data_ptr<scalar_t>(),
                      order.defined() ? order.const_data_ptr<int64_t>() : nullptr, n);
  });
  if (starts) {
    for (int64_t run = 0; run < runs; ++run) {
      starts[run] = (run + 1 < runs ? starts[run + 1] : n) - starts[run];
    }
  }
  return runs;
}

// -------------------- rows

// Of two rows, from the second element on: below zero, zero, or above zero.
using CompareRows = int (*)(const void* rows, int64_t a, int64_t b, int64_t width);

template <class T>
int compare_rows(const void* rows, int64_t a, int64_t b, int64_t width) {
  const T *x = static_cast<const T*>(rows) + a * width, *y = static_cast<const T*>(rows) + b * width;
  for (int64_t i = 1; i < width; ++i) {
    const Key<T> left = order_key(x[i]), right = order_key(y[i]);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

// By the first elements, then each part where these are equal by the others.
void order_rows(const TensorBase& order, const TensorBase& rows) {
  const int64_t n = rows.size(0), width = rows.size(1);
  const c10::DataPtr memory = c10::GetCPUAllocator()->allocate(2 * n * sizeof(WideEntry));
  auto* entries = static_cast<WideEntry*>(memory.get());
  CompareRows compare = nullptr;
  AT_DISPATCH_ORDERED(rows.scalar_type(), "unique", [&] {
    const auto* x = rows.const_data_ptr<scalar_t>();
    for (int64_t i = 0; i < n; ++i) entries[i] = {order_key(x[i * width]), i};
    compare = &compare_rows<scalar_t>;
  });
  sort_entries<64>(Entries<WideEntry>{entries, entries + n, n});
  const void* data = rows.const_data_ptr();
  const auto before = [&](const WideEntry& a, const WideEntry& b) {
    const int compared = compare(data, a.index, b.index, width);
    return compared != 0 ? compared < 0 : a.index < b.index;
  };
  for (int64_t begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && entries[end].key == entries[begin].key) ++end;
    std::sort(entries + begin, entries + end, before);
  }
  auto* out = order.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < n; ++i) out[i] = entries[i].index;
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(sort_values_stub, &sort_values)
REGISTER_ALL_CPU_DISPATCH(find_runs_stub, &find_runs)
REGISTER_ALL_CPU_DISPATCH(order_rows_stub, &order_rows)

}  // namespace at::native
