// Stubs of bags of rows. Tensors are contiguous, but for `weight`, whose rows are; indices are of type Long.
// Kernels for the CPU rely on valid ones, which the operators check; others assert that they are.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace at::native {

// Bag b has the indices from offsets[b] to end(b); `padding` indices are skipped. Indices are below `rows`;
// of `given` offsets the last may only say where the last bag ends. The pointers are the device's.
struct Bags {
  const int64_t *indices, *offsets;
  int64_t n, given, count, padding, rows;

  C10_HOST_DEVICE int64_t end(int64_t bag) const { return bag + 1 < count ? offsets[bag + 1] : n; }
};

// Of type Long. Where `bag_of` has elements, it has the bag of each index, -1 before the first. `sizes`, and
// its copy where that is defined, have the number of indices of each bag that aren't padding, or zeros if
// nothing is to be counted; they may have more elements than there are bags, which are zeros, too.
struct BagDescription {
  TensorBase bag_of, sizes, copy;
  bool counts;
};
using describe_bags_fn = void (*)(const Bags& bags, const BagDescription& description);
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

// The gradient of index i is grad[bag_of[i]] times a factor: factors[i] (of grad's dtype; 1 where they are
// undefined), divided by how often the index occurs if `by_frequency`, and by the size of its bag, if not
// zero, where `sizes` are defined.
struct BagGradients {
  TensorBase grad, rows, bag_of, factors, sizes;
  bool by_frequency;
  int64_t padding;
};
// result[row] becomes the sum of the gradients of the i with rows[i] == row, but for padding; other rows
// stay. The order is fixed. result is of grad's compute type.
using add_bag_gradients_fn = void (*)(const BagGradients& gradients, const TensorBase& result);
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
