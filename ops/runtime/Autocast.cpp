// Autocast: the thread's state, and casts of parameters, which are kept.
#include <ATen/native/Autocast.h>

#include <ATen/native/AutocastKernels.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <mutex>
#include <unordered_map>
#include <utility>

namespace at::inline C10_ABI::autocast {

namespace {

using c10::DeviceType;
using c10::DispatchKey;
using c10::ScalarType;

struct ThreadState {
  ScalarType cpu_dtype = c10::kBFloat16;
  ScalarType cuda_dtype = c10::kHalf;
  int nesting = 0;
  bool cache_enabled = true;
};
constinit thread_local ThreadState state;

void require_available(DeviceType device) {
  TORCH_CHECK(is_autocast_available(device), "autocast is available for cpu and cuda, not for ", device);
}

DispatchKey key_of(DeviceType device) {
  require_available(device);
  return device == DeviceType::CPU ? DispatchKey::AutocastCPU : DispatchKey::AutocastCUDA;
}

ScalarType& dtype_of(DeviceType device) {
  require_available(device);
  return device == DeviceType::CPU ? state.cpu_dtype : state.cuda_dtype;
}

// The weak reference keeps the address from being used again.
struct Kept {
  c10::weak_intrusive_ptr<c10::TensorImpl> source;
  Tensor cast;
};
using Cache = std::unordered_map<const c10::TensorImpl*, Kept>;

struct SharedCache {
  std::mutex mutex;
  Cache casts;
};
// Of all threads. Never destroyed: tensors can't be once Python has ended.
SharedCache& shared_cache() {
  static SharedCache& cache = *new SharedCache;
  return cache;
}

// A cast that was not recorded does not serve where it has to be.
bool serves(const Tensor& cast, ScalarType to) {
  return cast.scalar_type() == to && (cast.requires_grad() || !c10::GradMode::is_enabled());
}

}  // namespace

bool is_autocast_available(DeviceType device) {
  return device == DeviceType::CPU || device == DeviceType::CUDA;
}

bool is_autocast_enabled(DeviceType device) {
  return !c10::impl::tls_is_dispatch_key_excluded(key_of(device));
}

void set_autocast_enabled(DeviceType device, bool enabled) {
  const DispatchKey key = key_of(device);
  c10::impl::tls_set_dispatch_key_included(key, enabled);
  c10::impl::tls_set_dispatch_key_excluded(key, !enabled);
}

ScalarType get_autocast_dtype(DeviceType device) { return dtype_of(device); }
void set_autocast_dtype(DeviceType device, ScalarType dtype) { dtype_of(device) = dtype; }

int increment_nesting() { return ++state.nesting; }
int decrement_nesting() { return --state.nesting; }

bool is_autocast_cache_enabled() { return state.cache_enabled; }
void set_autocast_cache_enabled(bool enabled) { state.cache_enabled = enabled; }

void clear_cache() {
  Cache ended;  // destroyed after the lock: a tensor's end can run Python code
  SharedCache& shared = shared_cache();
  const std::lock_guard lock(shared.mutex);
  ended.swap(shared.casts);
}

Tensor cached_cast(ScalarType to, const Tensor& t, DeviceType device) {
  if (!is_eligible(t, device) || t.scalar_type() == to) return t;
  const bool is_kept = state.cache_enabled && to == get_autocast_dtype(device) &&
                       t.scalar_type() == c10::kFloat && t.requires_grad() && t.is_leaf() && !t.is_view();
  if (!is_kept) return t.to(to);
  SharedCache& shared = shared_cache();
  {
    const std::lock_guard lock(shared.mutex);
    const auto found = shared.casts.find(t.unsafeGetTensorImpl());
    if (found != shared.casts.end() && serves(found->second.cast, to)) return found->second.cast;
  }
  Tensor cast = t.to(to);
  const auto source = c10::intrusive_ptr<c10::TensorImpl>::reclaim_copy(t.unsafeGetTensorImpl());
  Kept kept{c10::weak_intrusive_ptr<c10::TensorImpl>(source), cast};
  const std::lock_guard lock(shared.mutex);
  std::swap(shared.casts.try_emplace(t.unsafeGetTensorImpl(), kept).first->second, kept);
  return cast;
}

ScalarType prioritize(ScalarType current, const Tensor& t, DeviceType device) {
  if (!is_eligible(t, device)) return current;
  const ScalarType lower = get_autocast_dtype(device), next = t.scalar_type();
  if (current == c10::kFloat || next == c10::kFloat) return c10::kFloat;
  TORCH_CHECK(current == lower && next == lower, "Unexpected floating ScalarType in autocast to ", lower,
              ": ", next);
  return lower;
}

void throw_refused(const char* instead, const c10::OperatorEntry& op) {
  TORCH_CHECK(false, op.qualified_name,
              " is unsafe to autocast: what precedes it loses precision in 16 bits. Use ", instead,
              ", or disable autocast around it and cast its inputs to float32");
  __builtin_unreachable();
}

}  // namespace at::inline C10_ABI::autocast
