// Sums and maxima of bags of rows, and the gradients of their weights.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace at::native {

// Bag b has the indices from bounds[b] to bounds[b + 1]; those that are `padding` don't count. All are rows
// of the weight, whose rows are contiguous.
struct Bags {
  const int64_t* indices;
  const int64_t* bounds;
  int64_t count, padding;

  int64_t indices_in_all() const { return bounds[count]; }
};

// The sum of each bag's rows, with factors (of weight's dtype, may be undefined); over their number if
// `mean`.
using bag_sums_fn = void (*)(const TensorBase& weight, const Bags& bags, const TensorBase& factors, bool mean,
                             const TensorBase& output);
DECLARE_DISPATCH(bag_sums_fn, bag_sums_stub)

// The largest number of each column, and the index of its row; zeros for a bag of none.
using bag_maxima_fn = void (*)(const TensorBase& weight, const Bags& bags, const TensorBase& output,
                               int64_t* rows);
DECLARE_DISPATCH(bag_maxima_fn, bag_maxima_stub)

// products[i] = grad[bag_of[i]] . weight[indices[i]], or zero for padding.
using bag_products_fn = void (*)(const TensorBase& grad, const TensorBase& weight, const int64_t* indices,
                                 const int64_t* bag_of, int64_t padding, const TensorBase& products);
DECLARE_DISPATCH(bag_products_fn, bag_products_stub)

}  // namespace at::native
