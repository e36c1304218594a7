// topk on the CPU: one pass over a line keeps a pool of candidates; once the pool is full, its worst half is
// dropped, and a bound excludes nearly all of the following elements, a block at a time.
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

template <class T, class Entry>
class Pool {
 public:
  explicit Pool(int64_t k) : k_(k), capacity_(std::max<int64_t>(2 * k, 64)) { entries_.reserve(capacity_); }

  // Fills the pool from a line whose keys, xored with flip, are ordered from the best; afterwards best()
  // holds k entries.
  void choose(const T* x, int64_t n, int64_t step, Key<T> flip) {
    constexpr int64_t block = 64;
    entries_.clear();
    bound_ = std::numeric_limits<Key<T>>::max();
    Key<T> keys[block];
    for (int64_t i = 0; i < n; i += block) {
      const int64_t count = std::min(block, n - i);
      if (!read_block(x + i * step, count, step, flip, keys)) {
        continue;
      }
      for (int64_t j = 0; j < count; ++j) {
        if (keys[j] <= bound_) {
          add(make_entry<Entry>(keys[j], i + j));
        }
      }
    }
    shrink();
  }

  std::vector<Entry>& best() { return entries_; }

 private:
  // False if no key of the block is within the bound.
  C10_ALWAYS_INLINE bool read_block(const T* x, int64_t count, int64_t step, Key<T> flip,
                                    Key<T>* keys) const {
    Key<T> least = std::numeric_limits<Key<T>>::max();
    if (step == 1 && count == 64) {
      for (int64_t j = 0; j < 64; ++j) {
        keys[j] = static_cast<Key<T>>(order_key(x[j]) ^ flip);
        least = keys[j] < least ? keys[j] : least;
      }
    } else {
      for (int64_t j = 0; j < count; ++j) {
        keys[j] = static_cast<Key<T>>(order_key(x[j * step]) ^ flip);
        least = keys[j] < least ? keys[j] : least;
      }
    }
    return least <= bound_;
  }

  void add(const Entry& entry) {
    entries_.push_back(entry);
    if (static_cast<int64_t>(entries_.size()) == capacity_) {
      shrink();
      // An equal key further on has a larger index, so it would lose: the bound may exclude it.
      bound_ = worst_ == 0 ? 0 : static_cast<Key<T>>(worst_ - 1);
    }
  }

  void shrink() {
    if (static_cast<int64_t>(entries_.size()) > k_) {
      std::nth_element(entries_.begin(), entries_.begin() + (k_ - 1), entries_.end());
      entries_.resize(k_);
      worst_ = static_cast<Key<T>>(entry_key(entries_[k_ - 1]));
    }
  }

  const int64_t k_, capacity_;
  std::vector<Entry> entries_;
  Key<T> bound_ = 0, worst_ = 0;
};

template <class T, class Entry>
void topk_lines(const TensorBase& values, const TensorBase& indices, const TensorBase& self, int64_t k,
                int64_t dim, int64_t n, bool largest, bool sorted) {
  const SortLines from(self, dim), to(values, dim), to_index(indices, dim);
  const T* in = self.const_data_ptr<T>();
  T* out = values.mutable_data_ptr<T>();
  int64_t* out_index = indices.mutable_data_ptr<int64_t>();
  const Key<T> flip = largest ? static_cast<Key<T>>(~Key<T>(0)) : Key<T>(0);
  at::parallel_for(0, self.numel() / n, std::max<int64_t>(1, 32768 / n), [&](int64_t begin, int64_t end) {
    Pool<T, Entry> pool(k);
    for (int64_t line = begin; line < end; ++line) {
      const T* x = in + from.offset(line);
      pool.choose(x, n, from.step, flip);
      std::vector<Entry>& best = pool.best();
      if (sorted) {
        std::sort(best.begin(), best.end());
      }
      T* y = out + to.offset(line);
      int64_t* y_index = out_index + to_index.offset(line);
      for (int64_t i = 0; i < k; ++i) {
        const int64_t index = entry_index(best[i]);
        y[i * to.step] = x[index * from.step];
        y_index[i * to_index.step] = index;
      }
    }
  });
}

void topk_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self, int64_t k,
                 int64_t dim, bool largest, bool sorted) {
  const int64_t n = self.dim() == 0 ? 1 : self.size(dim);
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "topk", [&] {
    if (sizeof(scalar_t) <= 4 && n <= std::numeric_limits<uint32_t>::max()) {
      topk_lines<scalar_t, PackedEntry>(values, indices, self, k, dim, n, largest, sorted);
    } else {
      topk_lines<scalar_t, WideEntry>(values, indices, self, k, dim, n, largest, sorted);
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(topk_stub, &topk_kernel)

}  // namespace at::native
