// Bags of rows, and rows scaled down to a largest norm, on the current device.
#pragma once

#include <ATen/core/TensorBase.h>

namespace at::native {

// Vectors of type Long. Bag b has the indices from offsets[b] to offsets[b + 1], the last one all that are
// left; those that are `padding` don't count.
struct BagsOnDevice {
  const TensorBase& indices;
  const TensorBase& offsets;
  int64_t count, padding;
};

/// The bag of each index, and how many indices of each bag count.
void describe_bags_on_device(const BagsOnDevice& bags, const TensorBase& bag_of, const TensorBase& sizes);

/// All of one dtype and contiguous. `factors` may be undefined.
void sum_bags_on_device(const TensorBase& weight, const BagsOnDevice& bags, const TensorBase& factors,
                        bool mean, const TensorBase& output);
void max_bags_on_device(const TensorBase& weight, const BagsOnDevice& bags, const TensorBase& output,
                        const TensorBase& rows);

/// result[indices[i]] += grad[bag_of[i]] * factors[i]; result and factors are Double beside a Double grad and
/// Float beside others.
void add_bag_gradients_on_device(const TensorBase& grad, const TensorBase& indices, const TensorBase& bag_of,
                                 const TensorBase& factors, int64_t padding, const TensorBase& result);
/// result[rows[b][j]][j] += grad[b][j], for bags of which indices count.
void add_maximum_gradients_on_device(const TensorBase& grad, const TensorBase& sizes, const TensorBase& rows,
                                     const TensorBase& result);

/// products[i] = grad[bag_of[i]] . weight[indices[i]]
void bag_products_on_device(const TensorBase& grad, const TensorBase& weight, const TensorBase& indices,
                            const TensorBase& bag_of, int64_t padding, const TensorBase& products);

/// `claimed` holds a zero of type Int for each row.
void renorm_rows_on_device(const TensorBase& self, const TensorBase& indices, double max_norm, double p,
                           const TensorBase& claimed);

}  // namespace at::native
