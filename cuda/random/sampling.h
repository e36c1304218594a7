// Samples of distributions on the current device, and their derivatives. Element i of a result is made of
// stream i of the generator's next ones, as on the CPU. Parameters and results are contiguous and of the same
// sizes, each of any floating dtype.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/core/Generator.h>
#include <ATen/core/TensorBase.h>

#include <optional>

namespace at::native {

/// A negative rate fails a device-side assertion.
void poisson_on_device(const TensorBase& result, const TensorBase& rate, const std::optional<Generator>& gen);
void binomial_on_device(const TensorBase& result, const TensorBase& count, const TensorBase& chance,
                        const std::optional<Generator>& gen);
/// No sample is below `least`.
void gamma_on_device(const TensorBase& result, const TensorBase& shape, double least,
                     const std::optional<Generator>& gen);
/// The samples' logarithms.
void log_gamma_on_device(const TensorBase& result, const TensorBase& shape,
                         const std::optional<Generator>& gen);

/// Derivatives with respect to the parameter (ops/random/sample_gradients.h) of (shape, sample), and of
/// (x, alpha, total).
void gamma_slopes_on_device(TensorIteratorBase& iter);
void beta_slopes_on_device(TensorIteratorBase& iter);

}  // namespace at::native
