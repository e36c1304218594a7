// What a device is: its name, its size, and the limits that kernels are written for.
#pragma once

#include <c10/macros/Macros.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace c10::inline C10_ABI {

struct DeviceProperties {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  size_t total_memory = 0;
  int multi_processor_count = 0;
  int max_threads_per_multi_processor = 0;
  int max_threads_per_block = 0;
  int warp_size = 0;
  int regs_per_multiprocessor = 0;
  size_t shared_memory_per_block = 0;
  size_t shared_memory_per_block_optin = 0;
  size_t shared_memory_per_multiprocessor = 0;
  size_t L2_cache_size = 0;
  bool is_integrated = false;
  bool is_multi_gpu_board = false;
  int pci_domain_id = 0, pci_bus_id = 0, pci_device_id = 0;
  std::array<uint8_t, 16> uuid{};
};

/// Bytes of a device's memory.
struct MemoryInfo {
  size_t free = 0, total = 0;
};

}  // namespace c10::inline C10_ABI
