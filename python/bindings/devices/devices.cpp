// Devices: which is current, what they are, and what their allocators count. All reach a device's library
// through its DeviceInterface; the error where there is none comes from there.
#include "devices/devices.h"

#include "errors.h"
#include "values/values.h"

#include <c10/core/impl/DeviceInterface.h>

#include <utility>

namespace at::python {
namespace {

using c10::CachingDeviceAllocator::DeviceStats;
using c10::CachingDeviceAllocator::Stat;
using c10::CachingDeviceAllocator::StatArray;
using c10::CachingDeviceAllocator::StatType;

// A function of one device: `body` returns the result from the device `d` and its interface `interface`.
#define OF_DEVICE(id, name, body)                                                               \
  PyObject* id(PyObject*, PyObject* device) {                                                   \
    try {                                                                                       \
      const c10::Device d = c10::resolve_device(to_device(device));                             \
      [[maybe_unused]] const c10::DeviceInterface& interface = c10::device_interface(d.type()); \
      body                                                                                      \
    } catch (...) {                                                                             \
      return raise_current(PACKAGE "." name);                                                   \
    }                                                                                           \
  }

PyObject* device_count(PyObject*, PyObject* device) {
  try {
    const auto type = to_device(device).type();
    c10::ensure_device_library(type);
    return PyLong_FromLong(c10::device_count(type));
  } catch (...) {
    return raise_current(PACKAGE "._device_count");
  }
}

OF_DEVICE(device_index, "current_device", return PyLong_FromLong(d.index());)
OF_DEVICE(exchange_device, "set_device", return PyLong_FromLong(interface.exchange_device(d.index()));)
OF_DEVICE(synchronize, "synchronize", {
  const GilReleased released;
  interface.synchronize_device(d.index());
} return none();)

Ref dict_of(const c10::DeviceProperties& p) {
  return own(Py_BuildValue(
      "{s:s#,s:i,s:i,s:n,s:i,s:i,s:i,s:i,s:i,s:n,s:n,s:n,s:n,s:N,s:N,s:i,s:i,s:i,s:y#}", "name",
      p.name.data(), static_cast<Py_ssize_t>(p.name.size()), "major", p.major, "minor", p.minor,
      "total_memory", static_cast<Py_ssize_t>(p.total_memory), "multi_processor_count",
      p.multi_processor_count, "max_threads_per_multi_processor", p.max_threads_per_multi_processor,
      "max_threads_per_block", p.max_threads_per_block, "warp_size", p.warp_size, "regs_per_multiprocessor",
      p.regs_per_multiprocessor, "shared_memory_per_block",
      static_cast<Py_ssize_t>(p.shared_memory_per_block), "shared_memory_per_block_optin",
      static_cast<Py_ssize_t>(p.shared_memory_per_block_optin), "shared_memory_per_multiprocessor",
      static_cast<Py_ssize_t>(p.shared_memory_per_multiprocessor), "L2_cache_size",
      static_cast<Py_ssize_t>(p.L2_cache_size), "is_integrated", boolean(p.is_integrated),
      "is_multi_gpu_board", boolean(p.is_multi_gpu_board), "pci_domain_id", p.pci_domain_id, "pci_bus_id",
      p.pci_bus_id, "pci_device_id", p.pci_device_id, "uuid", reinterpret_cast<const char*>(p.uuid.data()),
      static_cast<Py_ssize_t>(p.uuid.size())));
}

OF_DEVICE(properties, "get_device_properties", return dict_of(interface.properties(d.index())).release();)

PyObject* can_access_peer(PyObject*, PyObject* args) {
  PyObject *device, *peer;
  if (!PyArg_ParseTuple(args, "OO:can_device_access_peer", &device, &peer)) return nullptr;
  try {
    const c10::Device a = c10::resolve_device(to_device(device)), b = c10::resolve_device(to_device(peer));
    return boolean(c10::device_interface(a.type()).can_access_peer(a.index(), b.index()));
  } catch (...) {
    return raise_current(PACKAGE ".can_device_access_peer");
  }
}

// ---- memory

OF_DEVICE(memory_info, "mem_get_info", const c10::MemoryInfo info = interface.memory_info(d.index());
          return Py_BuildValue("(nn)", static_cast<Py_ssize_t>(info.free),
                               static_cast<Py_ssize_t>(info.total));)

void set(const Ref& dict, const char* key, const Ref& value) {
  check(PyDict_SetItemString(dict.get(), key, value.get()));
}

Ref dict_of(const Stat& stat) {
  return own(Py_BuildValue("{s:L,s:L,s:L,s:L}", "current", static_cast<long long>(stat.current), "peak",
                           static_cast<long long>(stat.peak), "allocated",
                           static_cast<long long>(stat.allocated), "freed",
                           static_cast<long long>(stat.freed)));
}

Ref dict_of(const StatArray& array) {
  const Ref dict = own(PyDict_New());
  set(dict, "all", dict_of(array[StatType::AGGREGATE]));
  set(dict, "small_pool", dict_of(array[StatType::SMALL_POOL]));
  set(dict, "large_pool", dict_of(array[StatType::LARGE_POOL]));
  return dict;
}

// As PyTorch names and nests them.
Ref dict_of(const DeviceStats& stats) {
  const Ref dict = own(PyDict_New());
  set(dict, "allocation", dict_of(stats.allocation));
  set(dict, "segment", dict_of(stats.segment));
  set(dict, "active", dict_of(stats.active));
  set(dict, "requested_bytes", dict_of(stats.requested_bytes));
  set(dict, "allocated_bytes", dict_of(stats.allocated_bytes));
  set(dict, "reserved_bytes", dict_of(stats.reserved_bytes));
  set(dict, "active_bytes", dict_of(stats.active_bytes));
  for (const auto& [name, count] :
       {std::pair{"num_alloc_retries", stats.num_alloc_retries}, std::pair{"num_ooms", stats.num_ooms},
        std::pair{"num_device_alloc", stats.num_device_alloc},
        std::pair{"num_device_free", stats.num_device_free}}) {
    set(dict, name, own(PyLong_FromLongLong(count)));
  }
  return dict;
}

OF_DEVICE(memory_stats, "memory_stats", return dict_of(interface.memory_stats(d.index())).release();)
OF_DEVICE(reset_peak_memory_stats, "reset_peak_memory_stats", interface.reset_peak_memory_stats(d.index());
          return none();)
OF_DEVICE(reset_accumulated_memory_stats, "reset_accumulated_memory_stats",
          interface.reset_accumulated_memory_stats(d.index());
          return none();)
OF_DEVICE(empty_cache, "empty_cache", {
  const GilReleased released;
  interface.allocator()->empty_cache();
} return none();)

#undef OF_DEVICE

PyMethodDef functions[] = {
    {"_device_count", device_count, METH_O, nullptr},
    {"_device_index", device_index, METH_O, nullptr},
    {"_exchange_device", exchange_device, METH_O, nullptr},
    {"_synchronize", synchronize, METH_O, nullptr},
    {"_device_properties", properties, METH_O, nullptr},
    {"_can_access_peer", can_access_peer, METH_VARARGS, nullptr},
    {"_memory_info", memory_info, METH_O, nullptr},
    {"_memory_stats", memory_stats, METH_O, nullptr},
    {"_reset_peak_memory_stats", reset_peak_memory_stats, METH_O, nullptr},
    {"_reset_accumulated_memory_stats", reset_accumulated_memory_stats, METH_O, nullptr},
    {"_empty_cache", empty_cache, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int init_devices(PyObject* module) { return PyModule_AddFunctions(module, functions); }

}  // namespace at::python
