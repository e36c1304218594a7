// Stubs of bags of rows. Tensors are contiguous, but for `weight`, whose rows are; indices are of type Long,
// and valid.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace at::native {

// Bag b has the indices from offsets[b] to end(b); `padding` indices are skipped. The pointers are the
// device's.
struct Bags {
  const int64_t *indices, *offsets;
  int64_t n, count, padding;

  C10_HOST_DEVICE int64_t end(int64_t bag) const { return bag + 1 < count ? offsets[bag + 1] : n; }
};

// The bag of each index, and the number of indices of each bag that aren't padding.
using describe_bags_fn = void (*)(const Bags& bags, const TensorBase& bag_of, const TensorBase& sizes);
DECLARE_DISPATCH(describe_bags_fn, describe_bags_stub)

// The sum of each bag's rows, times factors (of weight's dtype, may be undefined); divided by their number if
// `mean`.
using bag_sums_fn = void (*)(const TensorBase& weight, const Bags& bags, const TensorBase& factors, bool mean,
                             const TensorBase& output);
DECLARE_DISPATCH(bag_sums_fn, bag_sums_stub)

// The maximum of each column, and the index of its row; zeros for an empty bag.
using bag_maxima_fn = void (*)(const TensorBase& weight, const Bags& bags, const TensorBase& output,
                               const TensorBase& rows);
DECLARE_DISPATCH(bag_maxima_fn, bag_maxima_stub)

// result[row] becomes the sum of grad[bag_of[i]] * factors[i] over the i with rows[i] == row, but for
// padding; other rows stay. The order is fixed. result and factors are of grad's compute type.
using add_bag_gradients_fn = void (*)(const TensorBase& grad, const TensorBase& rows,
                                      const TensorBase& bag_of, const TensorBase& factors, int64_t padding,
                                      const TensorBase& result);
DECLARE_DISPATCH(add_bag_gradients_fn, add_bag_gradients_stub)

// result[rows[b][j]][j] += grad[b][j], for bags of a size that isn't zero.
using add_maximum_gradients_fn = void (*)(const TensorBase& grad, const TensorBase& sizes,
                                          const TensorBase& rows, const TensorBase& result);
DECLARE_DISPATCH(add_maximum_gradients_fn, add_maximum_gradients_stub)

// products[i] = grad[bag_of[i]] . weight[rows[i]], or zero for padding.
using bag_products_fn = void (*)(const TensorBase& grad, const TensorBase& weight, const TensorBase& rows,
                                 const TensorBase& bag_of, int64_t padding, const TensorBase& products);
DECLARE_DISPATCH(bag_products_fn, bag_products_stub)

// The first of the values that isn't in [0, size), or -1; synchronizes the device.
using first_outside_fn = int64_t (*)(const TensorBase& values, int64_t size);
DECLARE_DISPATCH(first_outside_fn, first_outside_stub)

}  // namespace at::native
