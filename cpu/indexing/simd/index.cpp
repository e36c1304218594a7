// index and index_put: elements at offsets computed from index tensors. The iterator's inner loop is either
// over the elements of one index (a run of src, copied whole) or over indices.

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cpu/vectors.h>
#include <ATen/native/indexing/stubs.h>
#include <c10/util/TypeCast.h>

#include <cstring>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

[[noreturn]] C10_COLD C10_NOINLINE void fail_index(int64_t index, int64_t dim, int64_t size) {
  TORCH_CHECK_INDEX(false, "index ", index, " is out of bounds for dimension ", dim, " with size ", size);
  __builtin_unreachable();
}

inline int64_t checked_offset(int64_t index, int64_t dim, int64_t size, int64_t stride) {
  int64_t wrapped = index < 0 ? index + size : index;
  if (C10_UNLIKELY(static_cast<uint64_t>(wrapped) >= static_cast<uint64_t>(size))) {
    fail_index(index, dim, size);
  }
  return wrapped * stride;
}

// The index operands of one inner loop.
class Offsets {
 public:
  Offsets(IntArrayRef sizes, IntArrayRef strides) : sizes_(sizes), strides_(strides) {}

  void move_to(char* const* data, const int64_t* data_strides) {
    data_ = data;
    data_strides_ = data_strides;
  }
  bool constant() const {
    for (size_t i = 0; i < sizes_.size(); ++i) {
      if (data_strides_[i] != 0) return false;
    }
    return true;
  }
  int64_t operator()(int64_t position) const {
    int64_t offset = 0;
    for (size_t i = 0; i < sizes_.size(); ++i) {
      const int64_t index = *reinterpret_cast<const int64_t*>(data_[i] + position * data_strides_[i]);
      offset += checked_offset(index, static_cast<int64_t>(i), sizes_[i], strides_[i]);
    }
    return offset;
  }

 private:
  IntArrayRef sizes_;
  IntArrayRef strides_;
  char* const* data_ = nullptr;
  const int64_t* data_strides_ = nullptr;
};

// Operands 0 and 1 are copied, the others are indices. `run(dst, src, strides, n, offset)` copies n elements
// of one index, `element(dst, src, offset)` one.
template <class Run, class Element>
auto index_loop(int ntensors, IntArrayRef sizes, IntArrayRef strides, const Run& run,
                const Element& element) {
  return [=](char** base, const int64_t* st, int64_t n0, int64_t n1) {
    SmallVector<char*, 6> data(base, base + ntensors);
    Offsets offsets(sizes, strides);
    for (int64_t j = 0; j < n1; ++j) {
      offsets.move_to(data.data() + 2, st + 2);
      if (offsets.constant()) {
        run(data[0], data[1], st, n0, offsets(0));
      } else {
        for (int64_t i = 0; i < n0; ++i) element(data[0] + i * st[0], data[1] + i * st[1], offsets(i));
      }
      for (int arg = 0; arg < ntensors; ++arg) data[arg] += st[ntensors + arg];
    }
  };
}

template <class T>
void copy_run(char* dst, const char* src, const int64_t* strides, int64_t n) {
  constexpr int64_t size = sizeof(T);
  if (strides[0] == size && strides[1] == size) {
    std::memcpy(dst, src, static_cast<size_t>(n * size));
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<T*>(dst + i * strides[0]) = *reinterpret_cast<const T*>(src + i * strides[1]);
  }
}

void index_kernel(TensorIteratorBase& iter, IntArrayRef sizes, IntArrayRef strides, const char* /*op*/) {
  with_opaque_type(iter.element_size(0), [&](auto type) {
    using T = decltype(type);
    iter.for_each(index_loop(
        iter.ntensors(), sizes, strides,
        [](char* out, const char* src, const int64_t* st, int64_t n, int64_t offset) {
          copy_run<T>(out, src + offset, st, n);
        },
        [](char* out, const char* src, int64_t offset) {
          *reinterpret_cast<T*>(out) = *reinterpret_cast<const T*>(src + offset);
        }));
  });
}

// -------------------- index_put

void put_kernel(TensorIterator& iter, IntArrayRef sizes, IntArrayRef strides) {
  with_opaque_type(iter.element_size(0), [&](auto type) {
    using T = decltype(type);
    iter.for_each(index_loop(
        iter.ntensors(), sizes, strides,
        [](char* self, const char* values, const int64_t* st, int64_t n, int64_t offset) {
          copy_run<T>(self + offset, values, st, n);
        },
        [](char* self, const char* values, int64_t offset) {
          *reinterpret_cast<T*>(self + offset) = *reinterpret_cast<const T*>(values);
        }));
  });
}

template <class T>
void accumulate(T* to, const T* value) {
  if constexpr (std::is_same_v<T, bool>) {
    *to = *to || *value;
  } else if constexpr (std::is_integral_v<T>) {
    *to = static_cast<T>(static_cast<uint64_t>(*to) + static_cast<uint64_t>(*value));
  } else {
    using O = at::opmath_type<T>;
    store_one(to, load_one<O>(to) + load_one<O>(value));
  }
}

// One thread: an index may occur again in any other part of the iteration.
void accumulate_kernel(TensorIterator& iter, IntArrayRef sizes, IntArrayRef strides) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(
      kBool, kHalf, kBFloat16, kComplexHalf, iter.dtype(), "index_put_", [&] {
        const auto add = [](char* self, const char* value) {
          accumulate(reinterpret_cast<scalar_t*>(self), reinterpret_cast<const scalar_t*>(value));
        };
        iter.serial_for_each(
            index_loop(
                iter.ntensors(), sizes, strides,
                [add](char* self, const char* values, const int64_t* st, int64_t n, int64_t offset) {
                  for (int64_t i = 0; i < n; ++i) add(self + offset + i * st[0], values + i * st[1]);
                },
                [add](char* self, const char* value, int64_t offset) { add(self + offset, value); }),
            {0, iter.numel()});
      });
}

void index_put_kernel(TensorIterator& iter, IntArrayRef sizes, IntArrayRef strides, bool accumulate) {
  accumulate ? accumulate_kernel(iter, sizes, strides) : put_kernel(iter, sizes, strides);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(index_stub, &index_kernel)
REGISTER_DISPATCH(index_put_stub, &index_put_kernel)

}  // namespace at::native
