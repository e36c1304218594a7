// Factories of random tensors: rand, randn, randint and their *_like forms: an empty tensor, filled in place.

#include <ATen/core/Tensor.h>
#include <ATen/native/factories/options.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/item.h>
#include <ATen/ops/normal.h>
#include <ATen/ops/rand_like_native.h>
#include <ATen/ops/rand_native.h>
#include <ATen/ops/randint_like_native.h>
#include <ATen/ops/randint_native.h>
#include <ATen/ops/randn_like_native.h>
#include <ATen/ops/randn_native.h>
#include <ATen/ops/random.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/uniform.h>

#include <utility>

namespace at::native {

using OptDtype = std::optional<ScalarType>;
using OptLayout = std::optional<Layout>;
using OptDevice = std::optional<Device>;
using OptFlag = std::optional<bool>;
using OptFormat = std::optional<MemoryFormat>;
using OptGenerator = std::optional<Generator>;

namespace {

Tensor integers(int64_t low, int64_t high, IntArrayRef size, const TensorOptions& options,
                const OptGenerator& gen) {
  return at::empty(size, options).random_(low, high, gen);
}

// A tensor's shape, and its options unless others are given.
Tensor empty_model(const Tensor& self, OptDtype dtype, OptLayout layout, OptDevice device, OptFlag pin_memory,
                   OptFormat memory_format) {
  return at::empty_like(self, make_options(dtype, layout, device, pin_memory), memory_format);
}

int64_t bound_of(const Tensor& high) {
  TORCH_CHECK(high.numel() == 1 && high.is_cpu(), "high must be a scalar tensor and on CPU");
  return high.item().to<int64_t>();
}

}  // namespace

// -------------------- rand

Tensor rand(IntArrayRef size, OptDtype dtype, OptLayout layout, OptDevice device, OptFlag pin_memory) {
  return native::rand(size, std::nullopt, dtype, layout, device, pin_memory);
}
Tensor rand(IntArrayRef size, OptGenerator gen, OptDtype dtype, OptLayout layout, OptDevice device,
            OptFlag pin_memory) {
  return at::empty(size, make_options(dtype, layout, device, pin_memory)).uniform_(0, 1, gen);
}
Tensor& rand_out(IntArrayRef size, Tensor& result) { return native::rand_out(size, std::nullopt, result); }
Tensor& rand_out(IntArrayRef size, OptGenerator gen, Tensor& result) {
  result.resize_(size);
  return result.uniform_(0, 1, gen);
}
Tensor rand_like(const Tensor& self, OptDtype dtype, OptLayout layout, OptDevice device, OptFlag pin_memory,
                 OptFormat memory_format) {
  return native::rand_like(self, std::nullopt, dtype, layout, device, pin_memory, memory_format);
}
Tensor rand_like(const Tensor& self, OptGenerator gen, OptDtype dtype, OptLayout layout, OptDevice device,
                 OptFlag pin_memory, OptFormat memory_format) {
  return empty_model(self, dtype, layout, device, pin_memory, memory_format).uniform_(0, 1, gen);
}

// -------------------- randn

Tensor randn(IntArrayRef size, OptDtype dtype, OptLayout layout, OptDevice device, OptFlag pin_memory) {
  return native::randn(size, std::nullopt, dtype, layout, device, pin_memory);
}
Tensor randn(IntArrayRef size, OptGenerator gen, OptDtype dtype, OptLayout layout, OptDevice device,
             OptFlag pin_memory) {
  return at::empty(size, make_options(dtype, layout, device, pin_memory)).normal_(0, 1, gen);
}
Tensor& randn_out(IntArrayRef size, Tensor& result) { return native::randn_out(size, std::nullopt, result); }
Tensor& randn_out(IntArrayRef size, OptGenerator gen, Tensor& result) {
  result.resize_(size);
  return result.normal_(0, 1, gen);
}
Tensor randn_like(const Tensor& self, OptDtype dtype, OptLayout layout, OptDevice device, OptFlag pin_memory,
                  OptFormat memory_format) {
  return native::randn_like(self, std::nullopt, dtype, layout, device, pin_memory, memory_format);
}
Tensor randn_like(const Tensor& self, OptGenerator gen, OptDtype dtype, OptLayout layout, OptDevice device,
                  OptFlag pin_memory, OptFormat memory_format) {
  return empty_model(self, dtype, layout, device, pin_memory, memory_format).normal_(0, 1, gen);
}

// -------------------- randint

Tensor randint(int64_t high, IntArrayRef size, OptDtype dtype, OptLayout layout, OptDevice device,
               OptFlag pin_memory) {
  return integers(0, high, size, make_options(dtype, layout, device, pin_memory), std::nullopt);
}
Tensor randint(int64_t high, IntArrayRef size, OptGenerator gen, OptDtype dtype, OptLayout layout,
               OptDevice device, OptFlag pin_memory) {
  return integers(0, high, size, make_options(dtype, layout, device, pin_memory), gen);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef size, OptDtype dtype, OptLayout layout,
               OptDevice device, OptFlag pin_memory) {
  return integers(low, high, size, make_options(dtype, layout, device, pin_memory), std::nullopt);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef size, OptGenerator gen, OptDtype dtype,
               OptLayout layout, OptDevice device, OptFlag pin_memory) {
  return integers(low, high, size, make_options(dtype, layout, device, pin_memory), gen);
}
Tensor& randint_out(int64_t high, IntArrayRef size, Tensor& result) {
  return native::randint_out(0, high, size, std::nullopt, result);
}
Tensor& randint_out(int64_t high, IntArrayRef size, OptGenerator gen, Tensor& result) {
  return native::randint_out(0, high, size, std::move(gen), result);
}
Tensor& randint_out(int64_t low, int64_t high, IntArrayRef size, Tensor& result) {
  return native::randint_out(low, high, size, std::nullopt, result);
}
Tensor& randint_out(int64_t low, int64_t high, IntArrayRef size, OptGenerator gen, Tensor& result) {
  result.resize_(size);
  return result.random_(low, high, std::move(gen));
}

namespace {

Tensor integers_like(const Tensor& self, int64_t low, int64_t high, const OptGenerator& gen, OptDtype dtype,
                     OptLayout layout, OptDevice device, OptFlag pin_memory, OptFormat memory_format) {
  return empty_model(self, dtype, layout, device, pin_memory, memory_format).random_(low, high, gen);
}

}  // namespace

Tensor randint_like(const Tensor& self, int64_t high, OptDtype dtype, OptLayout layout, OptDevice device,
                    OptFlag pin_memory, OptFormat memory_format) {
  return integers_like(self, 0, high, std::nullopt, dtype, layout, device, pin_memory, memory_format);
}
Tensor randint_like(const Tensor& self, int64_t high, OptGenerator gen, OptDtype dtype, OptLayout layout,
                    OptDevice device, OptFlag pin_memory, OptFormat memory_format) {
  return integers_like(self, 0, high, gen, dtype, layout, device, pin_memory, memory_format);
}
Tensor randint_like(const Tensor& self, const Tensor& high, OptDtype dtype, OptLayout layout,
                    OptDevice device, OptFlag pin_memory, OptFormat memory_format) {
  return integers_like(self, 0, bound_of(high), std::nullopt, dtype, layout, device, pin_memory,
                       memory_format);
}
Tensor randint_like(const Tensor& self, const Tensor& high, OptGenerator gen, OptDtype dtype,
                    OptLayout layout, OptDevice device, OptFlag pin_memory, OptFormat memory_format) {
  return integers_like(self, 0, bound_of(high), gen, dtype, layout, device, pin_memory, memory_format);
}
Tensor randint_like(const Tensor& self, int64_t low, int64_t high, OptDtype dtype, OptLayout layout,
                    OptDevice device, OptFlag pin_memory, OptFormat memory_format) {
  return integers_like(self, low, high, std::nullopt, dtype, layout, device, pin_memory, memory_format);
}
Tensor randint_like(const Tensor& self, int64_t low, int64_t high, OptGenerator gen, OptDtype dtype,
                    OptLayout layout, OptDevice device, OptFlag pin_memory, OptFormat memory_format) {
  return integers_like(self, low, high, gen, dtype, layout, device, pin_memory, memory_format);
}

}  // namespace at::native
