// The CPU's generator: Philox blocks of (seed, position). A kernel reserves a range of blocks once and its
// threads fill any part of it, so results don't depend on the number of threads.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/PhiloxRNGEngine.h>
#include <c10/core/GeneratorImpl.h>

#include <cstdint>

namespace at::inline C10_ABI {

/// The first Philox block of a kernel: its block i is philox4x32(seed, offset + i).
struct PhiloxState {
  uint64_t seed;
  uint64_t offset;
};

struct TORCH_API CPUGeneratorImpl final : c10::GeneratorImpl {
  explicit CPUGeneratorImpl(uint64_t seed = c10::default_rng_seed_val);
  ~CPUGeneratorImpl() override = default;
  static DeviceType device_type() { return DeviceType::CPU; }

  c10::intrusive_ptr<CPUGeneratorImpl> clone() const;
  void set_current_seed(uint64_t seed) override;
  uint64_t current_seed() const override { return seed_; }
  uint64_t seed() override;
  void set_offset(uint64_t offset) override;
  uint64_t get_offset() const override { return offset_; }
  void set_state(const c10::TensorImpl& new_state) override;
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override;

  /// Reserves `blocks` blocks of four words; the caller holds mutex_.
  PhiloxState reserve(uint64_t blocks);
  /// Single values, for serial kernels; the caller holds mutex_.
  uint32_t random();
  uint64_t random64();

 private:
  CPUGeneratorImpl* clone_impl() const override;

  uint64_t seed_;
  uint64_t offset_ = 0;  // blocks used
  PhiloxBlock block_{};
  uint32_t used_ = 4;  // words of block_
};

namespace detail {
TORCH_API const Generator& getDefaultCPUGenerator();
/// The seed of a default generator that is made now: that of the last manual_seed(), which is for devices
/// that weren't in use then, too; else a random one.
TORCH_API uint64_t seed_of_default_generator(bool is_cuda = false);
TORCH_API Generator createCPUGenerator(uint64_t seed_val = c10::default_rng_seed_val);
}  // namespace detail

}  // namespace at::inline C10_ABI
