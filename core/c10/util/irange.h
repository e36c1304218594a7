// Loops over integers: for (auto i : c10::irange(n)).
#pragma once

#include <c10/macros/Macros.h>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace c10::inline C10_ABI {

template <class I>
class integer_range {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = I;
    using difference_type = ptrdiff_t;
    using pointer = const I*;
    using reference = I;
    constexpr explicit iterator(I value) : value_(value) {}
    constexpr I operator*() const { return value_; }
    constexpr iterator& operator++() {
      ++value_;
      return *this;
    }
    constexpr iterator operator++(int) { return iterator(value_++); }
    constexpr bool operator==(const iterator&) const = default;

   private:
    I value_;
  };
  // A range that ends before it begins is empty.
  constexpr integer_range(I begin, I end) : begin_(begin), end_(end < begin ? begin : end) {}
  constexpr iterator begin() const { return begin_; }
  constexpr iterator end() const { return end_; }

 private:
  iterator begin_, end_;
};

template <class I>
constexpr integer_range<I> irange(I end) {
  return {I(0), end};
}
template <class I1, class I2>
constexpr integer_range<I2> irange(I1 begin, I2 end) {
  return {static_cast<I2>(begin), end};
}

}  // namespace c10::inline C10_ABI
