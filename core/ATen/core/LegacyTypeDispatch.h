// Guards under which operator calls skip layers of the dispatcher.
#pragma once
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace at::inline C10_ABI {

// Calls within skip the autograd layer.
struct AutoDispatchBelowAutograd {
  AutoDispatchBelowAutograd() : guard_(c10::autograd_dispatch_keyset) {}

 private:
  c10::impl::ExcludeDispatchKeyGuard guard_;
};

// Calls within skip the autograd layer and ADInplaceOrView, which tracks versions and views, below it.
struct AutoDispatchBelowADInplaceOrView {
  AutoDispatchBelowADInplaceOrView() : guard_(c10::autograd_dispatch_keyset_with_ADInplaceOrView) {}

 private:
  c10::impl::ExcludeDispatchKeyGuard guard_;
};

// Calls within skip functionalization.
struct AutoDispatchSkipFunctionalize {
  AutoDispatchSkipFunctionalize() : guard_(c10::DispatchKeySet(c10::DispatchKey::Functionalize)) {}

 private:
  c10::impl::ExcludeDispatchKeyGuard guard_;
};

}  // namespace at::inline C10_ABI
