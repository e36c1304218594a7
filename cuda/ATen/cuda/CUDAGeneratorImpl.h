// CUDA's generator. It counts Philox blocks as the CPU's does and kernels use them in the same order, so a
// seed gives the same values on both (up to the rounding of log, sin and cos).
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>
#include <c10/core/GeneratorImpl.h>

#include <cstdint>

namespace at::inline C10_ABI {

struct TORCH_API CUDAGeneratorImpl final : c10::GeneratorImpl {
  explicit CUDAGeneratorImpl(DeviceIndex index = 0, uint64_t seed = c10::default_rng_seed_val);
  ~CUDAGeneratorImpl() override = default;
  static DeviceType device_type() { return DeviceType::CUDA; }

  void set_current_seed(uint64_t seed) override;
  uint64_t current_seed() const override { return seed_; }
  uint64_t seed() override;
  void set_offset(uint64_t offset) override { offset_ = offset; }
  uint64_t get_offset() const override { return offset_; }
  void set_state(const c10::TensorImpl& new_state) override;
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override;

  /// Reserves `blocks` blocks of four words; the caller holds mutex_.
  PhiloxState reserve(uint64_t blocks);

 private:
  CUDAGeneratorImpl* clone_impl() const override;

  uint64_t seed_;
  uint64_t offset_ = 0;
};

namespace cuda::detail {
TORCH_API const Generator& getDefaultCUDAGenerator(DeviceIndex index = -1);
TORCH_API Generator createCUDAGenerator(DeviceIndex index = -1);
}  // namespace cuda::detail

}  // namespace at::inline C10_ABI
