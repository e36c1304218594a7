// Stubs of random numbers, one implementation per device. The tensors they fill are contiguous; without a
// generator they use the device's default one.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <optional>

namespace at::native {

/// Uniform in [from, to). Floating and complex dtypes.
using uniform_fn = void (*)(const TensorBase& self, double from, double to, std::optional<Generator> gen);
DECLARE_DISPATCH(uniform_fn, uniform_stub)

/// Floating and complex dtypes; real and imaginary parts have variance std^2 / 2 each.
using normal_fn = void (*)(const TensorBase& self, double mean, double std, std::optional<Generator> gen);
DECLARE_DISPATCH(normal_fn, normal_stub)

/// 1 with probability p, else 0. Any dtype.
using bernoulli_scalar_fn = void (*)(const TensorBase& self, double p, std::optional<Generator> gen);
DECLARE_DISPATCH(bernoulli_scalar_fn, bernoulli_scalar_stub)

/// The same with a probability for each element: p is contiguous, of self's shape, Float or Double.
using bernoulli_tensor_fn = void (*)(const TensorBase& self, const TensorBase& p,
                                     std::optional<Generator> gen);
DECLARE_DISPATCH(bernoulli_tensor_fn, bernoulli_tensor_stub)

}  // namespace at::native
