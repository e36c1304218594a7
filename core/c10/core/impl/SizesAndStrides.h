// Sizes and strides of a tensor: up to five dimensions inside the object, more on the heap.
#pragma once

#include <c10/core/impl/SmallBlockCache.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <cstring>

namespace c10::inline C10_ABI {
namespace impl {

constexpr size_t kInlineDims = 5;
// A tensor with more dimensions is a mistake of the caller.
constexpr size_t kMaxDims = 64;

class C10_API SizesAndStrides {
 public:
  // One dimension of size 0, as an empty tensor has.
  SizesAndStrides() : size_(1) {
    inline_[0] = 0;
    inline_[kInlineDims] = 1;
  }
  SizesAndStrides(const SizesAndStrides& other) : size_(other.size_) {
    if (C10_LIKELY(is_inline())) {
      std::memcpy(inline_, other.inline_, sizeof(inline_));
    } else {
      size_ = 0;
      copy(other);
    }
  }
  SizesAndStrides& operator=(const SizesAndStrides& other) {
    if (this != &other) copy(other);
    return *this;
  }
  ~SizesAndStrides() {
    if (C10_UNLIKELY(!is_inline())) free_heap();
  }

  size_t size() const { return size_; }
  const int64_t* sizes_data() const { return C10_LIKELY(is_inline()) ? inline_ : heap_; }
  int64_t* sizes_data() { return C10_LIKELY(is_inline()) ? inline_ : heap_; }
  const int64_t* strides_data() const {
    return C10_LIKELY(is_inline()) ? inline_ + kInlineDims : heap_ + size_;
  }
  int64_t* strides_data() { return C10_LIKELY(is_inline()) ? inline_ + kInlineDims : heap_ + size_; }
  bool same_sizes(const SizesAndStrides& other) const {
    if (size_ != other.size_) return false;
    const int64_t *a = sizes_data(), *b = other.sizes_data();
    for (size_t i = 0; i < size_; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  IntArrayRef sizes_arrayref() const { return {sizes_data(), size_}; }
  IntArrayRef strides_arrayref() const { return {strides_data(), size_}; }
  int64_t size_at(size_t i) const { return sizes_data()[i]; }
  int64_t stride_at(size_t i) const { return strides_data()[i]; }

  // Sets the number of dimensions; the values are undefined afterwards.
  void resize(size_t n) {
    if (C10_LIKELY(is_inline() && n <= kInlineDims)) {
      size_ = n;
    } else {
      resize_slow(n);
    }
  }

 private:
  bool is_inline() const { return size_ <= kInlineDims; }
  void copy(const SizesAndStrides& other) {
    resize(other.size_);
    for (size_t i = 0; i < size_; ++i) sizes_data()[i] = other.sizes_data()[i];
    for (size_t i = 0; i < size_; ++i) strides_data()[i] = other.strides_data()[i];
  }
  void resize_slow(size_t n);
  void free_heap();

  size_t size_;
  union {
    int64_t inline_[2 * kInlineDims];
    int64_t* heap_;
  };
};

}  // namespace impl
}  // namespace c10::inline C10_ABI
