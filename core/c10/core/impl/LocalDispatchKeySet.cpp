// The thread-local key sets.
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace c10::inline C10_ABI {
namespace impl {

constinit thread_local PODLocalDispatchKeySet raw_local_dispatch_key_set = {
    default_included_set.raw_repr(), default_excluded_set.raw_repr(),
    full_backend_mask | ~default_excluded_set.raw_repr()};

bool tls_is_dispatch_key_excluded(DispatchKey x) {
  return tls_is_dispatch_keyset_excluded(DispatchKeySet(x));
}

bool tls_is_dispatch_key_included(DispatchKey x) {
  return tls_is_dispatch_keyset_included(DispatchKeySet(x));
}

bool tls_is_dispatch_keyset_excluded(DispatchKeySet ks) {
  return raw_local_dispatch_key_set.excluded().isSupersetOf(ks);
}

bool tls_is_dispatch_keyset_included(DispatchKeySet ks) {
  return raw_local_dispatch_key_set.included().isSupersetOf(ks);
}

void tls_set_dispatch_key_excluded(DispatchKey x, bool desired_state) {
  auto& tls = raw_local_dispatch_key_set;
  tls.set_excluded(desired_state ? tls.excluded().add(x) : tls.excluded().remove(x));
}

void tls_set_dispatch_key_included(DispatchKey x, bool desired_state) {
  auto& tls = raw_local_dispatch_key_set;
  tls.set_included(desired_state ? tls.included().add(x) : tls.included().remove(x));
}

}  // namespace impl
}  // namespace c10::inline C10_ABI
