// topk on the CPU: one pass over a line keeps a pool of candidates; once the pool is full, its worst half is
// dropped, and a bound excludes nearly all of the following elements, a block at a time.
#include <ATen/native/Opaque.h>
#include <ATen/native/cpu/sorting/sort_keys.h>
#include <ATen/native/sorting/stubs.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t block = 64;
constexpr uint64_t any_key = std::numeric_limits<uint64_t>::max();

// The first block of a line, from element i on, with a key within the bound: returns where it begins, or n,
// and writes its keys, ordered from the best. Only this knows the dtype: the rest of topk is compiled once
// for each kind of entry.
using NextBlock = int64_t (*)(const void* line, int64_t i, int64_t n, int64_t step, bool largest,
                              uint64_t bound, uint64_t* keys);

template <class T>
int64_t next_block(const void* line, int64_t i, int64_t n, int64_t step, bool largest, uint64_t bound,
                   uint64_t* wide) {
  const Key<T> flip = largest ? static_cast<Key<T>>(~Key<T>(0)) : Key<T>(0);
  Key<T> keys[block];
  for (; i < n; i += block) {
    const int64_t count = std::min(block, n - i);
    const T* x = static_cast<const T*>(line) + i * step;
    Key<T> least = std::numeric_limits<Key<T>>::max();
    const auto read = [&](int64_t elements, int64_t stride) C10_ALWAYS_INLINE_ATTRIBUTE {
      for (int64_t j = 0; j < elements; ++j) {
        keys[j] = static_cast<Key<T>>(order_key(x[j * stride]) ^ flip);
        least = keys[j] < least ? keys[j] : least;
      }
    };
    step == 1 && count == block ? read(block, 1) : read(count, step);
    if (least <= bound) {
      std::copy_n(keys, count, wide);
      return i;
    }
  }
  return n;
}

template <class Entry>
class Pool {
 public:
  explicit Pool(int64_t k) : k_(k), capacity_(std::max<int64_t>(2 * k, block)) {
    entries_.reserve(capacity_);
  }

  // Fills the pool from a line; afterwards best() holds k entries.
  void choose(const void* line, int64_t n, int64_t step, NextBlock next, bool largest) {
    entries_.clear();
    bound_ = any_key;
    uint64_t keys[block];
    for (int64_t i = 0; (i = next(line, i, n, step, largest, bound_, keys)) < n; i += block) {
      for (int64_t j = 0; j < std::min(block, n - i); ++j) {
        if (keys[j] <= bound_) {
          add(make_entry<Entry>(keys[j], i + j));
        }
      }
    }
    shrink();
  }

  std::vector<Entry>& best() { return entries_; }

 private:
  void add(const Entry& entry) {
    entries_.push_back(entry);
    if (static_cast<int64_t>(entries_.size()) == capacity_) {
      shrink();
      // An equal key further on has a larger index, so it would lose: the bound may exclude it.
      bound_ = worst_ == 0 ? 0 : worst_ - 1;
    }
  }

  void shrink() {
    if (static_cast<int64_t>(entries_.size()) > k_) {
      std::nth_element(entries_.begin(), entries_.begin() + (k_ - 1), entries_.end());
      entries_.resize(k_);
      worst_ = entry_key(entries_[k_ - 1]);
    }
  }

  const int64_t k_, capacity_;
  std::vector<Entry> entries_;
  uint64_t bound_ = 0, worst_ = 0;
};

// y[i] = x[index[i]] for elements of T's size, with the steps of each.
template <class T>
void gather_line(T* y, int64_t y_step, const T* x, int64_t x_step, const int64_t* index, int64_t index_step,
                 int64_t k) {
  for (int64_t i = 0; i < k; ++i) y[i * y_step] = x[index[i * index_step] * x_step];
}

template <class Entry>
void topk_lines(const TensorBase& values, const TensorBase& indices, const TensorBase& self, int64_t k,
                int64_t dim, int64_t n, bool largest, bool sorted, NextBlock next) {
  const SortLines from(self, dim), to(values, dim), to_index(indices, dim);
  const int64_t itemsize = self.element_size();
  const char* in = static_cast<const char*>(self.const_data_ptr());
  char* out = static_cast<char*>(values.mutable_data_ptr());
  int64_t* out_index = indices.mutable_data_ptr<int64_t>();
  at::parallel_for(0, self.numel() / n, std::max<int64_t>(1, 32768 / n), [&](int64_t begin, int64_t end) {
    Pool<Entry> pool(k);
    for (int64_t line = begin; line < end; ++line) {
      const char* x = in + from.offset(line) * itemsize;
      pool.choose(x, n, from.step, next, largest);
      std::vector<Entry>& best = pool.best();
      if (sorted) {
        std::sort(best.begin(), best.end());
      }
      int64_t* index = out_index + to_index.offset(line);
      for (int64_t i = 0; i < k; ++i) index[i * to_index.step] = entry_index(best[i]);
      char* y = out + to.offset(line) * itemsize;
      with_opaque_type(itemsize, [&]<class T>(T) {
        gather_line<T>(reinterpret_cast<T*>(y), to.step, reinterpret_cast<const T*>(x), from.step, index,
                       to_index.step, k);
      });
    }
  });
}

void topk_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self, int64_t k,
                 int64_t dim, bool largest, bool sorted) {
  const int64_t n = self.dim() == 0 ? 1 : self.size(dim);
  NextBlock next = nullptr;
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "topk",
                             [&] { next = &next_block<scalar_t>; });
  const bool packed = self.element_size() <= 4 && n <= std::numeric_limits<uint32_t>::max();
  const auto lines = packed ? &topk_lines<PackedEntry> : &topk_lines<WideEntry>;
  lines(values, indices, self, k, dim, n, largest, sorted, next);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(topk_stub, &topk_kernel)

}  // namespace at::native
